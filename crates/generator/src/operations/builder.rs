//! The builder of one operation: required arguments in its constructor, optional ones as setters.

use openapi_model::{Model, Operation, names};
use openapi_overrides::OverrideReport;
use openapi_schemas::METHODS;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::money::Money;
use super::value::Argument;
use super::{
    access, body_type, docs, fields, output, paging, parts, paths, request, value, waiting,
};
use crate::types::docs::{attributes, deprecated};

/// The builder of one operation.
pub(super) struct Builder<'m> {
    pub(super) model: &'m Model,
    pub(super) report: &'m OverrideReport,
    pub(super) operation: &'m Operation,
    pub(super) arguments: Vec<Argument<'m>>,
    /// The field of the client.
    pub(super) client: syn::Ident,
    /// The field of the call's options.
    pub(super) options: syn::Ident,
}

impl<'m> Builder<'m> {
    pub(super) fn new(
        model: &'m Model,
        report: &'m OverrideReport,
        operation: &'m Operation,
    ) -> Self {
        let arguments = value::arguments(model, operation);
        Self {
            model,
            report,
            operation,
            client: fields::free("client", &arguments),
            options: fields::free("options", &arguments),
            arguments,
        }
    }

    pub(super) fn emit(&self) -> TokenStream {
        let (model, operation) = (self.model, self.operation);
        let money = Money::of(model, operation);
        let name = names::ident(&operation.type_name);

        let table = table(operation, &money);
        let docs = attributes(&docs::builder(self));
        let declared = self.declared();
        let new = self.constructor();
        let setters = self.arguments.iter().filter(|argument| !argument.required);
        let setters = setters.map(|argument| self.setter(argument));
        let request = self.request();
        let sends = self.sends(&money);
        let paged = paging::emit(self);
        let wait = waiting::wait(self);
        let options = self.call_options(&name);
        let parts = parts::emit(self);
        let input = body_type::emit(model, operation);
        let by_status = output::by_status(operation);
        let documented = output::documented(model, operation);
        let submitted = waiting::submitted(model, operation);
        quote! {
            #table

            #(#docs)*
            #[derive(Clone, Debug)]
            #[must_use = "a call is made when it is sent"]
            pub struct #name {
                #declared
            }

            impl #name {
                #new

                #(#setters)*

                #request

                #sends

                #wait
            }

            #options

            #paged

            #parts

            #input

            #by_status

            #documented

            #submitted
        }
    }

    /// The method that sets an optional argument.
    pub(super) fn setter(&self, argument: &Argument<'_>) -> TokenStream {
        let docs = attributes(&docs::argument(self, argument));
        let name = &argument.name;
        let taken = argument.taken();
        let value = argument.given();
        let deprecated = deprecated(argument.is_deprecated);
        quote! {
            #(#docs)*
            #deprecated
            pub fn #name(mut self, #name: #taken) -> Self {
                self.#name = #value;
                self
            }
        }
    }

    /// The method that turns the builder into a request.
    fn request(&self) -> TokenStream {
        let access = access::statements(self.model, self.operation);
        let statements = request::statements(self);
        let (options, table) = (&self.options, table_name(self.operation));
        quote! {
            pub(crate) fn request(&self) -> ::generated_client::request::Request {
                let mut request = ::generated_client::request::Request::new(&#table);
                request.options(&self.#options);
                #access
                #statements
                request
            }
        }
    }

    /// The methods that make the call.
    fn sends(&self, money: &Money) -> TokenStream {
        let mut other_responses = docs::other_responses(self.operation, self.report);
        if !other_responses.is_empty() {
            other_responses.insert(0, String::new());
        }
        let other_responses = attributes(&other_responses);
        let output = paths::own_output(self.operation);
        let send = output::send(self);
        let send_stream = output::send_stream(self);
        let (send_docs, error_docs) = (money.send, money.errors);
        quote! {
            #[doc = #send_docs]
            ///
            /// # Errors
            ///
            #[doc = #error_docs]
            #(#other_responses)*
            pub async fn send(self) -> Result<::generated_client::Response<#output>, ::generated_client::Error> {
                #send
            }

            #send_stream
        }
    }
}

/// The facts of the operation that the runtime reads.
fn table(operation: &Operation, money: &Money) -> TokenStream {
    let id = &operation.known_as;
    let path = paths::template(&operation.path);
    let response = paths::response_shape(operation);
    let Money { facts, .. } = money;
    let mut known = METHODS.iter();
    let is_known = known.any(|method| method.eq_ignore_ascii_case(&operation.method));
    let method = if is_known {
        let method = names::ident(&operation.method);
        quote!(::generated_client::Method::#method)
    } else {
        // The document was read with no other method than one that HTTP can have.
        let method = Literal::byte_string(operation.method.as_bytes());
        quote!(::generated_client::Method::from_bytes(#method).unwrap_or_default())
    };
    let table = quote! {
        ::generated_client::document::Operation {
            id: #id,
            method: #method,
            path: #path,
            #facts
            response: #response,
        }
    };
    let name = table_name(operation);
    if is_known {
        quote!(static #name: ::generated_client::document::Operation = #table;)
    } else {
        quote! {
            static #name: ::std::sync::LazyLock<::generated_client::document::Operation> =
                ::std::sync::LazyLock::new(|| #table);
        }
    }
}

/// The name of the static with the facts of the operation.
pub(super) fn table_name(operation: &Operation) -> syn::Ident {
    names::ident(&operation.rust_name.to_uppercase())
}
