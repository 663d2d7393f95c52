//! The builder of one operation: required arguments in its constructor, optional ones as setters.

use openapi_model::{Model, Operation, names};
use openapi_overrides::OverrideReport;
use openapi_schemas::METHODS;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::value::Argument;
use super::{
    access, body_type, docs, fields, output, paging, parts, paths, prices, request, value, waiting,
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
        let name = names::ident(&operation.type_name);

        let table = table(model, operation);
        let docs = attributes(&docs::builder(self));
        let declared = self.declared();
        let setters = self.arguments.iter().filter(|argument| !argument.required);
        let setters = setters.map(|argument| self.setter(argument));
        let request = self.request();
        let send_stream = output::send_stream(self);
        let paged = paging::emit(self);
        let wait = waiting::wait(self);
        let rows = self.table(&name);
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

            #rows

            impl #name {
                #(#setters)*

                #request

                #send_stream

                #wait
            }

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
        let statements = quote!(#access #statements);
        let (options, table) = (&self.options, table_name(self.operation));
        let new =
            quote!(::generated_client::request::Request::with_options(&#table, &self.#options));
        let made = if statements.is_empty() {
            new
        } else {
            quote!(let mut request = #new; #statements request)
        };
        quote! {
            pub(crate) fn request(&self) -> ::generated_client::request::Request {
                #made
            }
        }
    }
}

/// The facts of the operation that the runtime reads.
fn table(model: &Model, operation: &Operation) -> TokenStream {
    let id = &operation.known_as;
    let path = paths::template(&operation.path);
    let returns = paths::response_type(operation).map(|ty| quote!(.returns::<#ty>()));
    let tariff = prices::tariff(model, operation);
    let mut known = METHODS.iter();
    let is_known = known.any(|method| method.eq_ignore_ascii_case(&operation.method));
    let extension = tariff.as_ref().map(|tariff| {
        if is_known {
            quote!(.extension(&#tariff))
        } else {
            quote!(.extension(&TARIFF))
        }
    });
    let declared = if is_known {
        let method = names::ident(&operation.method.to_ascii_lowercase());
        quote!(#method(#id, #path))
    } else {
        // The document was read with no other method than one that HTTP can have.
        let method = Literal::byte_string(operation.method.as_bytes());
        let method = quote!(::generated_client::Method::from_bytes(#method).unwrap_or_default());
        quote!(new(#method, #id, #path))
    };
    let table = quote!(::generated_client::document::Operation::#declared #returns #extension);
    let name = table_name(operation);
    if is_known {
        quote!(static #name: ::generated_client::document::Operation = #table;)
    } else {
        // In a closure, a reference to what a constant function returns is none to a constant.
        let tariff = tariff
            .map(|tariff| quote!(const TARIFF: ::generated_client::document::Tariff = #tariff;));
        quote! {
            static #name: ::std::sync::LazyLock<::generated_client::document::Operation> =
                ::std::sync::LazyLock::new(|| { #tariff #table });
        }
    }
}

/// The name of the static with the facts of the operation.
pub(super) fn table_name(operation: &Operation) -> syn::Ident {
    names::ident(&operation.rust_name.to_uppercase())
}
