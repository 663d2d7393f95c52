//! A program's table of the calls of a client: for each operation what makes its call of JSON, and what reads its responses and writes them
//! again. A program that knows the document by itself makes the calls; the crate `checked-tests` is one.

use std::collections::HashSet;

use openapi_model::{
    Body, BodyKind, Carrier, Content, Model, Operation, Output, Place, Schema, Usage, names,
};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;

use super::value::{self, Argument, Kind};
use super::{body_type, lists, parts, paths};

pub(super) fn emit(model: &Model) -> TokenStream {
    let package = names::ident(&model.package.name.replace('-', "_"));
    let calls = model
        .operations
        .iter()
        .map(|operation| call(model, operation, &package));
    let count = proc_macro2::Literal::usize_unsuffixed(model.operations.len());
    let calls: Vec<TokenStream> = calls.collect();
    let types = model.has_types().then(|| quote!(use #package::types;));
    // Of several types for one schema, the first by name is that of the whole; the others are of some of its values.
    let mut seen = HashSet::new();
    let all_types: Vec<TokenStream> = model
        .documented_types()
        .filter(|schema| {
            let Usage { request, response } = schema.usage;
            seen.insert((&schema.pointer, request, response))
        })
        .map(of_type)
        .collect();
    let type_count = proc_macro2::Literal::usize_unsuffixed(all_types.len());
    let builder = builder(model, &package);
    let calls = quote! {
        #types

        /// The document that the client was generated from.
        pub(crate) const DOCUMENT: &str = ::#package::OPENAPI;

        /// A client of the service at an address, with made-up credentials.
        ///
        /// # Errors
        ///
        /// The address is invalid.
        pub(crate) fn client(address: &str) -> Result<::#package::Client, ::#package::Error> {
            #builder
        }

        /// The operations of the client.
        pub(crate) static CALLS: [::checked_tests::Call<::#package::Client>; #count] = [#(#calls),*];

        /// The types of the client.
        pub(crate) static TYPES: [::checked_tests::Type; #type_count] = [#(#all_types),*];
    };
    of_client(calls, &package)
}

/// Names what is of the runtime by the client, which exports it.
fn of_client(tokens: TokenStream, package: &syn::Ident) -> TokenStream {
    let named = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "generated_client" => package.clone().into(),
        TokenTree::Group(group) => {
            let inner = of_client(group.stream(), package);
            Group::new(group.delimiter(), inner).into()
        }
        other => other,
    });
    named.collect()
}

/// The expression that makes a client.
fn builder(model: &Model, package: &syn::Ident) -> TokenStream {
    let credentials = match model.auth.simple() {
        Some(_) => vec![quote!(.api_key("checked"))],
        None => {
            let schemes = model.auth.schemes.iter().map(|scheme| {
                let name = names::ident(&scheme.rust_name);
                let secrets = match scheme.carrier {
                    Carrier::Basic => quote!("checked", "checked"),
                    _ => quote!("checked"),
                };
                quote!(.credential(::#package::credentials::#name(#secrets)))
            });
            schemes.collect()
        }
    };
    let mut servers: Vec<&String> = model.servers.own.values().collect();
    servers.sort_unstable();
    servers.dedup();
    quote! {
        ::#package::Client::builder(address) #(#credentials)* #(.server(#servers, address))* .build()
    }
}

/// The row of an operation.
fn call(model: &Model, operation: &Operation, package: &syn::Ident) -> TokenStream {
    let (mut values, mut setters) = (Vec::new(), Vec::new());
    for argument in value::arguments(model, operation) {
        let setter = &argument.name;
        let is_body = matches!(argument.kind, Kind::Body(_));
        match (is_body, argument.required) {
            (false, true) => values.push(given(&argument)),
            (false, false) => setters.push(set(&quote!(call), &argument)),
            (true, true) => values.push(any_body(model, operation, package)),
            (true, false) => {
                let body = any_body(model, operation, package);
                setters.push(quote!(if given.has_body() { call = call.#setter(#body); }));
            }
        }
    }
    let mutable = (!setters.is_empty()).then(|| quote!(mut));
    let (id, method, path) = (&operation.id, &operation.method, &operation.path);
    let handle = operation.handle.as_ref().map(|handle| {
        let handle = names::ident(handle);
        quote!(#handle().)
    });
    let name = names::ident(&operation.rust_name);
    let media_types = operation.bodies.iter().map(|body| &body.media_type);
    let reads = reads(operation);
    let once = quote!(::generated_client::Call::send_as::<::serde_json::Value>);
    let (sending, list) = match lists::pages(model, operation) {
        Some(pages) => {
            let statement = lists::statement(pages, operation).to_string();
            let sending = quote! {
                let once = #once(call.clone());
                let all = ::generated_client::paging::PagedAs::items_as::<::serde_json::Value>(call);
                Ok(::checked_tests::listing(once, all))
            };
            (sending, quote!(Some(#statement)))
        }
        None => (
            quote!(Ok(::checked_tests::sending(#once(call)))),
            quote!(None),
        ),
    };
    quote! {
        ::checked_tests::Call {
            id: #id,
            method: #method,
            path: #path,
            media_types: &[#(#media_types),*],
            send: |client, given| {
                let #mutable call = client.#handle #name(#(#values),*);
                #(#setters)*
                #sending
            },
            list: #list,
            reads: &[#(#reads),*],
        }
    }
}

/// The row of a type, with the directions of its values.
fn of_type(schema: &Schema) -> TokenStream {
    let (name, at) = (&schema.name, &schema.pointer);
    let ty = names::ident(name);
    let Usage { request, response } = schema.usage;
    let row = if request && response {
        quote!(both)
    } else if request {
        quote!(sent)
    } else {
        quote!(received)
    };
    quote!(::checked_tests::Type::#row::<types::#ty>(#name, #at))
}

/// Returns the expressions that read the JSON of each documented response, by its status code; `2XX` is each success.
fn reads(operation: &Operation) -> Vec<TokenStream> {
    let mut contents: Vec<(&str, &Content)> = Vec::new();
    match &operation.output {
        Output::One(content) => contents.push(("2XX", content)),
        Output::ByStatus(all) => contents.extend(all.iter().map(|(status, one)| (&**status, one))),
    }
    let mut reads = Vec::new();
    for (status, content) in contents {
        if let Content::Json(schema) = content {
            reads.push(read(status, schema));
        }
    }
    for other in &operation.other_responses {
        if let Some(schema) = &other.schema {
            reads.push(read(&other.status, schema));
        }
    }
    reads
}

fn read(status: &str, schema: &Place) -> TokenStream {
    let ty = paths::place(schema);
    quote!((#status, ::checked_tests::again::<#ty>))
}

/// Returns the location of an argument in a request, and its name there.
fn place<'a>(argument: &'a Argument<'_>) -> (&'static str, &'a str) {
    let parameter = argument.parameter;
    let place = parameter.map_or("body", |parameter| parameter.location.name());
    (place, argument.wire)
}

/// Returns the expression of a present parameter or part.
fn given(argument: &Argument<'_>) -> TokenStream {
    let (place, name) = place(argument);
    let ty = match (argument.is_file(), argument.is_list()) {
        (true, false) => quote!(String),
        (true, true) => quote!(Vec<String>),
        (false, _) => argument.kept(),
    };
    quote!(given.required::<#ty>(#place, #name)?)
}

/// Returns the statement that sets a parameter or a part if it is present.
fn set(target: &TokenStream, argument: &Argument<'_>) -> TokenStream {
    let (setter, value) = (&argument.name, given(argument));
    let (place, name) = place(argument);
    quote!(if given.has(#place, #name) { #target = #target.#setter(#value); })
}

/// The expression of the body, of the media type that was given.
fn any_body(model: &Model, operation: &Operation, package: &syn::Ident) -> TokenStream {
    if let [one] = operation.bodies.as_slice() {
        return body(model, operation, one, package);
    }
    let name = body_type::enum_name(model, operation);
    let all = body_type::variants(operation);
    let last = all.len().saturating_sub(1);
    let arms = all.into_iter().enumerate().map(|(index, (variant, one))| {
        let value = body(model, operation, one, package);
        let into = (one.kind == BodyKind::Bytes).then(|| quote!(.into()));
        let media_type = &one.media_type;
        let pattern = if index == last {
            quote!(_)
        } else {
            quote!(Some(#media_type))
        };
        quote!(#pattern => ::#package::operations::#name::#variant(#value #into),)
    });
    quote!(match given.media_type() { #(#arms)* })
}

/// The expression of a body of one media type.
fn body(model: &Model, operation: &Operation, body: &Body, package: &syn::Ident) -> TokenStream {
    let media_type = &body.media_type;
    match body.kind {
        BodyKind::Json | BodyKind::Form => {
            let ty = paths::place(&body.schema);
            quote!(given.body::<#ty>()?)
        }
        BodyKind::Text | BodyKind::Bytes => quote!(given.body::<String>()?),
        BodyKind::Any => {
            quote!(::generated_client::request::Body::bytes(#media_type, given.body::<String>()?))
        }
        BodyKind::Multipart => match value::parts(model, body) {
            Some(all) => {
                let ty = parts::type_name(model, operation);
                let (required, optional): (Vec<_>, Vec<_>) =
                    all.iter().partition(|part| part.required);
                let required = required.into_iter().map(given);
                let target = quote!(parts);
                let setters = optional.into_iter().map(|part| set(&target, part));
                let setters: Vec<TokenStream> = setters.collect();
                let mutable = (!setters.is_empty()).then(|| quote!(mut));
                quote!({
                    let #mutable parts = ::#package::operations::#ty::new(#(#required),*);
                    #(#setters)*
                    parts
                })
            }
            None => quote!({
                let mut parts = ::generated_client::request::Multipart::new();
                for (name, value) in given.members() {
                    parts.value(name, None, value);
                }
                parts
            }),
        },
    }
}
