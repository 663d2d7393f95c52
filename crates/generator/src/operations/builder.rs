//! The builder of one operation: required arguments in its constructor, optional ones as setters.

use openapi_model::names;
use openapi_model::{Model, Operation};
use openapi_overrides::OverrideReport;
use proc_macro2::TokenStream;
use quote::quote;

use super::input::{Input, Required};
use super::shapes::response;
use super::{
    access, bodies, charge, docs, examples, output, paging, paths, prices, request, value, waiting,
};
use crate::types::docs::attributes;

pub(super) fn emit(model: &Model, report: &OverrideReport, operation: &Operation) -> TokenStream {
    let arguments = value::arguments(model, operation);
    let required = Required::of(model, operation, &arguments);
    let name = names::ident(&operation.type_name);
    let output = paths::own_output(operation);
    let id = &operation.known_as;
    let path = paths::template(&operation.path);
    let method = names::ident(&operation.method);
    let docs = attributes(&docs::builder(
        model, operation, &arguments, &required, report,
    ));
    let other_responses = docs::other_responses(operation, report);
    let other_responses = attributes(&if other_responses.is_empty() {
        other_responses
    } else {
        [vec![String::new()], other_responses].concat()
    });

    let fields = arguments.iter().map(|argument| {
        let name = &argument.name;
        let kept = argument.kept();
        if argument.required || argument.is_list() {
            quote!(#name: #kept)
        } else {
            quote!(#name: Option<#kept>)
        }
    });
    let optional = arguments.iter().filter(|argument| !argument.required);
    let parameters = required.kept();
    let initial = arguments.iter().map(|argument| {
        let name = &argument.name;
        if argument.required {
            required.field(argument)
        } else if argument.is_list() {
            quote!(#name: Vec::new())
        } else {
            quote!(#name: None)
        }
    });
    let setters = optional.map(|argument| {
        let docs = attributes(&docs::argument(model, argument, report));
        let name = &argument.name;
        let taken = argument.taken();
        let convert = argument.convert();
        let value = if argument.is_list() {
            convert
        } else {
            quote!(Some(#convert))
        };
        quote! {
            #(#docs)*
            pub fn #name(mut self, #name: #taken) -> Self {
                self.#name = #value;
                self
            }
        }
    });
    let statements = request::statements(model, operation, &arguments);
    let access = access::statements(model, operation);
    let server = access::server(model, operation);
    let prices = prices::prices(operation);
    let priced_by = prices::priced_by(operation);
    let charge = charge::of_operation(model, operation);
    let paging = paging::emit(
        model,
        operation,
        &arguments,
        &examples::items_example(model, operation, &arguments),
    );
    let (paging_methods, paging_items) = paging
        .map(|paging| (paging.methods, paging.items))
        .unwrap_or_default();
    let documented = output::documented(model, operation);
    let wait = waiting::wait(model, operation);
    let submitted = waiting::submitted(model, operation);
    let response = response(model, operation);
    let send = output::send(operation);
    let send_stream = output::send_stream(operation);
    let by_status = output::by_status(operation);
    let body_methods = bodies::methods(operation);
    let (body_field, no_body) = match operation.bodies.is_empty() {
        true => (None, None),
        false => (
            Some(quote!(body: Option<::metered_client::request::Body>,)),
            Some(quote!(body: None,)),
        ),
    };
    let uses_types = arguments.iter().any(|argument| {
        let kept = argument.kept().to_string();
        kept.contains("types ::")
    }) || output.to_string().contains("types ::")
        || statements.to_string().contains("types ::")
        || paging_items.to_string().contains("types ::")
        || submitted.to_string().contains("types ::")
        || by_status
            .as_ref()
            .is_some_and(|code| code.to_string().contains("types ::"))
        || body_methods.to_string().contains("types ::");
    let input = required
        .input
        .as_ref()
        .map(|input| by_name(model, operation, input, report));
    let import = uses_types.then(|| {
        quote!(
            use crate::types;
        )
    });

    quote! {
        #import

        static OPERATION: ::metered_client::document::Operation = ::metered_client::document::Operation {
            id: #id,
            method: ::metered_client::Method::#method,
            path: #path,
            prices: #prices,
            priced_by: #priced_by,
            charge: #charge,
            response: #response,
        };

        #server

        #(#docs)*
        #[derive(Clone, Debug)]
        #[must_use = "a call is made when it is sent"]
        pub struct #name {
            client: ::metered_client::Client,
            options: ::metered_client::request::CallOptions,
            #body_field
            #(#fields),*
        }

        impl #name {
            pub(crate) fn new(client: ::metered_client::Client, #(#parameters),*) -> Self {
                Self { client, options: ::metered_client::request::CallOptions::default(), #no_body #(#initial),* }
            }

            #(#setters)*

            #body_methods

            /// Reserves this much of the budget, whatever the price. [`CallOptions`](crate::request::CallOptions) describes
            /// this and the other settings of a call.
            pub fn price(mut self, credits: ::metered_client::Credits) -> Self {
                self.options.price = Some(credits);
                self
            }

            /// States the highest price of the call, which is reserved unless a higher one is known.
            pub fn assume_price(mut self, credits: ::metered_client::Credits) -> Self {
                self.options.assumed_price = Some(credits);
                self
            }

            /// Lets a call in flight end although its future is dropped.
            pub fn detached(mut self) -> Self {
                self.options.detached = Some(true);
                self
            }

            /// Bounds how long the call may take: its waits, attempts and retries.
            pub fn deadline(mut self, deadline: ::core::time::Duration) -> Self {
                self.options.deadline = Some(deadline);
                self
            }

            /// Adds a query parameter that is not documented. The price is then unknown.
            pub fn extra_query(mut self, name: &str, value: impl ::std::fmt::Display) -> Self {
                self.options.extras.query(name, &value);
                self
            }

            /// Adds a header that is not documented.
            pub fn header(mut self, name: &str, value: impl ::std::fmt::Display) -> Self {
                self.options.extras.header(name, &value);
                self
            }

            /// Replaces the [`RetryPolicy`](crate::RetryPolicy) of the client.
            pub fn retry(mut self, policy: ::metered_client::RetryPolicy) -> Self {
                self.options.retry = Some(policy);
                self
            }

            /// Says what the call may cost. Nothing is sent.
            #[must_use]
            pub fn quote(&self) -> ::metered_client::money::Quote {
                self.client.quote(&self.request())
            }

            pub(crate) fn request(&self) -> ::metered_client::request::Request {
                let mut request = ::metered_client::request::Request::new(&OPERATION);
                request.options(&self.options);
                #access
                #statements
                request
            }

            /// Makes the call, which may be billed.
            ///
            /// # Errors
            ///
            /// [`Error`](crate::Error) has a variant for each reason, and says what the call cost.
            #(#other_responses)*
            pub async fn send(self) -> Result<::metered_client::Response<#output>, ::metered_client::Error> {
                #send
            }

            /// Makes the call, and decodes JSON as a type of your own.
            ///
            /// # Errors
            ///
            /// Those of [`send`](Self::send).
            pub async fn send_as<T: ::serde::de::DeserializeOwned + ::std::marker::Send + 'static>(
                self,
            ) -> Result<::metered_client::Response<T>, ::metered_client::Error> {
                self.client.send(self.request()).await
            }

            #send_stream

            #paging_methods

            #wait
        }

        #input

        #by_status

        #documented

        #paging_items

        #submitted
    }
}

/// The struct of the required properties of a body.
fn by_name(
    model: &Model,
    operation: &Operation,
    input: &Input<'_, '_>,
    report: &OverrideReport,
) -> TokenStream {
    let about = format!(
        " What the body of [`{}`] has to have. Its texts are given by name, because in a row they could be swapped.",
        operation.type_name
    );
    let fields = input.fields.iter().map(|field| {
        let docs = attributes(&docs::argument(model, field, report));
        let (name, kept) = (&field.name, field.kept());
        quote!(#(#docs)* pub #name: #kept)
    });
    let ty = &input.ty;
    quote! {
        #[doc = #about]
        #[derive(Clone, Debug)]
        pub struct #ty {
            #(#fields),*
        }
    }
}
