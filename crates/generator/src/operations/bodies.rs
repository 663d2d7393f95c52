//! The part of a builder that writes its body.

use openapi_model::{
    Body, BodyKind, Encoding, Location, Model, Operation, ParameterType, Property, Schema,
};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::builder::Builder;
use super::styles::style;
use super::value::{Argument, Kind};
use super::{body_type, members, option};

/// The statements that check the body and write it into `request`.
pub(super) fn statements(builder: &Builder<'_>) -> TokenStream {
    let (model, operation) = (builder.model, builder.operation);
    let mut arguments = builder.arguments.iter();
    let Some(argument) = arguments.find(|one| matches!(one.kind, Kind::Body(_))) else {
        return TokenStream::new();
    };
    let name = &argument.name;
    match (operation.bodies.as_slice(), argument.required) {
        ([body], true) => write(model, body, &quote!(self.#name), &quote!(&self.#name)),
        ([body], false) => {
            let write = write(model, body, &quote!(body), &quote!(body));
            quote!(if let Some(body) = &self.#name { #write })
        }
        (_, true) => by_media_type(model, operation, &quote!(&self.#name)),
        (_, false) => {
            let write = by_media_type(model, operation, &quote!(body));
            quote!(if let Some(body) = &self.#name { #write })
        }
    }
}

fn by_media_type(model: &Model, operation: &Operation, reference: &TokenStream) -> TokenStream {
    let name = body_type::enum_name(model, operation);
    let arms = body_type::variants(operation)
        .into_iter()
        .map(|(variant, body)| {
            let write = write(model, body, &quote!(body), &quote!(body));
            quote!(#name::#variant(body) => { #write })
        });
    quote!(match #reference { #(#arms)* })
}

/// The statements that check a body and write it: `place` has it, and `reference` refers to it.
fn write(model: &Model, body: &Body, place: &TokenStream, reference: &TokenStream) -> TokenStream {
    let checks = members::check(model, body, place);
    let media_type = &body.media_type;
    let body = match body.kind {
        BodyKind::Json if media_type == "application/json" => {
            return quote!(#checks request.json(#reference););
        }
        BodyKind::Json => {
            quote!(::generated_client::request::Body::json_as(#media_type, #reference))
        }
        BodyKind::Form => {
            let styles = body.encodings.iter().filter_map(|encoding| {
                let (property, style) = (
                    &encoding.property,
                    style(Location::Query, encoding.style.as_ref()?),
                );
                Some(quote!((#property, #style)))
            });
            quote!(::generated_client::request::Body::form(&::generated_client::request::Form::of(#reference, &[#(#styles),*])))
        }
        BodyKind::Multipart if model.parts(body).is_some() => {
            quote!(::generated_client::request::Body::multipart(&#place.to_multipart()))
        }
        BodyKind::Multipart => quote!(::generated_client::request::Body::multipart(#reference)),
        BodyKind::Text => {
            quote!(::generated_client::request::Body::text(#media_type, #place.clone()))
        }
        BodyKind::Bytes => {
            quote!(::generated_client::request::Body::bytes(#media_type, #place.clone()))
        }
        BodyKind::Any => quote!(#place.clone()),
    };
    quote!(#checks request.body(#body);)
}

fn encoding<'b>(body: &'b Body, property: &str) -> Option<&'b Encoding> {
    body.encodings
        .iter()
        .find(|encoding| encoding.property == property)
}

/// Runs `with` on a present argument.
fn given(argument: &Argument<'_>, with: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let name = &argument.name;
    if argument.required || argument.is_list() {
        return with(quote!(&self.#name));
    }
    let statement = with(quote!(value));
    quote!(if let Some(value) = &self.#name { #statement })
}

/// The properties of a body that no one gives, with their values.
fn constants(schema: &Schema) -> impl Iterator<Item = (&Property, &Value)> {
    let all = schema.properties().iter();
    all.filter_map(|property| Some((property, property.place.constant.as_ref()?)))
}

/// The statements that write the constants of a body.
fn implicit(schema: &Schema) -> TokenStream {
    let written = constants(schema).map(|(property, value)| {
        let wire = &property.name;
        let value = match (value, value.as_i64()) {
            (Value::String(text), _) => quote!(#text),
            (_, Some(number)) => quote!(&#number),
            (value, None) => {
                let value = value.as_bool();
                quote!(&#value)
            }
        };
        quote!(parts.value(#wire, None, #value);)
    });
    written.collect()
}

/// The statements that make `parts` of arguments.
pub(super) fn parts_of(body: &Body, schema: &Schema, parts: &[Argument<'_>]) -> TokenStream {
    let statements = parts.iter().map(|argument| {
        let wire = argument.wire;
        let media_type = encoding(body, wire).and_then(|encoding| encoding.media_type.as_ref());
        match argument.kind.value() {
            Some(ParameterType::File) => {
                let media_type = media_type.map_or("application/octet-stream", String::as_str);
                given(
                    argument,
                    |value| quote!(parts.file(#wire, #media_type, #value);),
                )
            }
            Some(ParameterType::List { item, .. }) if **item == ParameterType::File => {
                let name = &argument.name;
                let media_type = media_type.map_or("application/octet-stream", String::as_str);
                quote! {
                    for value in &self.#name {
                        parts.file(#wire, #media_type, value);
                    }
                }
            }
            _ => {
                let media_type = option(media_type);
                given(
                    argument,
                    |value| quote!(parts.value(#wire, #media_type, #value);),
                )
            }
        }
    });
    let implicit = implicit(schema);
    quote! {
        let mut parts = ::generated_client::request::Multipart::new();
        #implicit
        #(#statements)*
    }
}
