//! The builder of one operation: required arguments in its constructor, optional ones as setters.

use openapi_model::names;
use openapi_model::{Model, Operation};
use openapi_overrides::OverrideReport;
use openapi_schemas::METHODS;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::fields::Fields;
use super::money::Money;
use super::shapes::response;
use super::value::Argument;
use super::{
    access, body_type, docs, examples, output, paging, parts, paths, request, value, waiting,
};
use crate::types::docs::{attributes, deprecated};

pub(super) fn emit(model: &Model, report: &OverrideReport, operation: &Operation) -> TokenStream {
    let arguments = value::arguments(model, operation);
    let fields = Fields::of(&arguments);
    let money = Money::of(model, operation);
    let name = names::ident(&operation.type_name);

    let table = table(model, operation, &money);
    let server = access::server(model, operation);
    let docs = docs::builder(model, operation, &arguments, report);
    let docs = attributes(&docs);
    let declared = fields.declared(&arguments);
    let new = fields.constructor(&arguments);
    let setters = arguments.iter().filter(|argument| !argument.required);
    let setters = setters.map(|argument| setter(model, argument, report));
    let request = built(model, operation, &arguments, &fields);
    let sends = sends(model, operation, &fields, &money, report);
    let example = examples::items_example(model, operation, &arguments);
    let paging = paging::emit(model, operation, &arguments, &fields, &example);
    let (pages, paged) = paging
        .map(|paging| (paging.methods, paging.items))
        .unwrap_or_default();
    let wait = waiting::wait(model, operation, &fields);
    let options = fields.options(&name, &arguments, model.is_metered);
    let parts = parts::emit(model, operation, report);
    let input = body_type::emit(model, operation);
    let by_status = output::by_status(operation);
    let documented = output::documented(model, operation);
    let submitted = waiting::submitted(model, operation);
    quote! {
        #table

        #server

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

            #pages

            #wait
        }

        #options

        #parts

        #input

        #by_status

        #documented

        #paged

        #submitted
    }
}

/// The facts of the operation that the runtime reads.
fn table(model: &Model, operation: &Operation, money: &Money) -> TokenStream {
    let id = &operation.known_as;
    let path = paths::template(&operation.path);
    let response = response(model, operation);
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
    if is_known {
        quote!(static OPERATION: ::generated_client::document::Operation = #table;)
    } else {
        quote! {
            static OPERATION: ::std::sync::LazyLock<::generated_client::document::Operation> =
                ::std::sync::LazyLock::new(|| #table);
        }
    }
}

/// The method that sets an optional argument.
pub(super) fn setter(
    model: &Model,
    argument: &Argument<'_>,
    report: &OverrideReport,
) -> TokenStream {
    let docs = attributes(&docs::argument(model, argument, report));
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
fn built(
    model: &Model,
    operation: &Operation,
    arguments: &[Argument<'_>],
    fields: &Fields,
) -> TokenStream {
    let access = access::statements(model, operation);
    let statements = request::statements(model, operation, arguments);
    let options = &fields.options;
    quote! {
        pub(crate) fn request(&self) -> ::generated_client::request::Request {
            let mut request = ::generated_client::request::Request::new(&OPERATION);
            request.options(&self.#options);
            #access
            #statements
            request
        }
    }
}

/// The methods that make the call.
fn sends(
    model: &Model,
    operation: &Operation,
    fields: &Fields,
    money: &Money,
    report: &OverrideReport,
) -> TokenStream {
    let other_responses = docs::other_responses(operation, report);
    let other_responses = attributes(&if other_responses.is_empty() {
        other_responses
    } else {
        [vec![String::new()], other_responses].concat()
    });
    let output = paths::own_output(operation);
    let client = &fields.client;
    let send = output::send(operation, client);
    let send_stream = output::send_stream(model, operation, client);
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
