//! The part of a builder that writes its body: one argument, its properties as arguments, or a method for each media type.

use openapi_model::names;
use openapi_model::{
    Body, BodyKind, Encoding, Location, Model, Operation, ParameterType, PathMember, Property,
    Schema,
};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::parts;
use super::styles::style;
use super::value::{Argument, Kind};
use super::whole::taken;

/// The statements that write the body into `request`.
pub(super) fn statements(
    model: &Model,
    operation: &Operation,
    arguments: &[Argument<'_>],
) -> TokenStream {
    if let Some(first) = operation.bodies.first() {
        let check = first
            .required
            .then(|| quote!(request.require_body(self.body.is_some());));
        return quote! {
            #check
            if let Some(body) = &self.body {
                request.body(body.clone());
            }
        };
    }
    let Some(body) = &operation.body else {
        return TokenStream::new();
    };
    let parts: Vec<&Argument<'_>> = arguments
        .iter()
        .filter(|argument| matches!(argument.kind, Kind::Body(_) | Kind::Whole(_)))
        .collect();
    let Some(schema) = model.spread(body) else {
        return parts
            .first()
            .map(|argument| whole(body, argument))
            .unwrap_or_default();
    };
    match body.kind {
        BodyKind::Form => pairs(body, schema, &parts),
        BodyKind::Multipart => multipart(body, schema, &parts),
        _ => {
            let ty = names::ident(&schema.name);
            let fields = parts.iter().map(|argument| {
                let name = &argument.name;
                let field =
                    names::ident(&model.field(&PathMember::to(&schema.name, argument.wire)));
                let is_text = match argument.kind.value() {
                    Some(ParameterType::Text | ParameterType::Formatted(_)) => true,
                    // A closed enumeration is copied.
                    Some(ParameterType::Named(name)) => !model
                        .schema(name)
                        .is_some_and(|schema| !schema.texts().is_empty() && !schema.is_open()),
                    _ => false,
                };
                let value = match (argument.newtype(model, schema), argument.required) {
                    (None, _) if is_text => quote!(self.#name.clone()),
                    (None, _) => quote!(self.#name),
                    // The caller gives the number, and the type of the body holds it.
                    (Some(ty), true) => quote!(types::#ty(self.#name)),
                    (Some(ty), false) => quote!(self.#name.map(types::#ty)),
                };
                quote!(#field: #value)
            });
            let constants = constants(schema).map(|(property, _)| {
                let field = names::ident(&property.field_name());
                quote!(#field: ::std::default::Default::default())
            });
            let fields: Vec<TokenStream> = fields.chain(constants).collect();
            let write = json(body, &quote!(&types::#ty { #(#fields),* }));
            if body.required {
                write
            } else {
                let given = parts.iter().map(|argument| argument.is_given());
                quote!(if #(#given)||* { #write })
            }
        }
    }
}

/// The bodies of an operation that takes several, each with the name of the method that gives it; nothing for any other.
pub(super) fn named(operation: &Operation) -> Vec<(syn::Ident, &Body)> {
    let mut seen = Vec::new();
    let named = operation.bodies.iter().map(|body| {
        let mut name = method(body.kind).to_owned();
        if seen.contains(&name) {
            let subtype = body.media_type.split('/').nth(1).unwrap_or_default();
            name = names::snake(&format!("{name} {subtype}"));
        }
        while seen.contains(&name) {
            name.push('_');
        }
        seen.push(name.clone());
        (names::ident(&name), body)
    });
    named.collect()
}

/// The methods that give these bodies.
pub(super) fn methods(model: &Model, operation: &Operation) -> TokenStream {
    let methods = named(operation).into_iter().map(|(name, body)| {
        let typed = match model.parts(body) {
            Some(_) => format!(", from a [`{}`]", parts::type_name(model, operation)),
            None => String::new(),
        };
        let docs = format!(
            " Sets the body, as `{}`{typed}. The last body wins.",
            body.media_type.replace('`', "'")
        );
        let taken = taken(body);
        let reference = match body.kind {
            BodyKind::Multipart => quote!(&body.into()),
            _ => quote!(&body),
        };
        let made = made(body, &reference, &quote!(body));
        quote! {
            #[doc = #docs]
            pub fn #name(mut self, body: #taken) -> Self {
                self.body = Some(#made);
                self
            }
        }
    });
    let methods: Vec<TokenStream> = methods.collect();
    quote!(#(#methods)*)
}

fn method(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Json => "json",
        BodyKind::Form => "form",
        BodyKind::Multipart => "multipart",
        BodyKind::Text => "text",
        BodyKind::Bytes => "bytes",
        BodyKind::Any => "body",
    }
}

/// The statement that writes a body that is one argument.
fn whole(body: &Body, argument: &Argument<'_>) -> TokenStream {
    let name = &argument.name;
    let write = |reference: TokenStream, owned: TokenStream| match body.kind {
        BodyKind::Json => json(body, &reference),
        _ => {
            let made = made(body, &reference, &owned);
            quote!(request.body(#made);)
        }
    };
    if argument.required {
        write(quote!(&self.#name), quote!(self.#name.clone()))
    } else {
        let write = write(quote!(body), quote!(body.clone()));
        quote!(if let Some(body) = &self.#name { #write })
    }
}

fn is_plain_json(body: &Body) -> bool {
    body.media_type == "application/json"
}

/// The statement that writes JSON, which needs a reference only.
fn json(body: &Body, reference: &TokenStream) -> TokenStream {
    let media_type = &body.media_type;
    if is_plain_json(body) {
        quote!(request.json(#reference);)
    } else {
        quote!(request.body(::generated_client::request::Body::json_as(#media_type, #reference));)
    }
}

/// The body that the runtime makes of a value: of a reference to it, or of the value itself.
fn made(body: &Body, reference: &TokenStream, owned: &TokenStream) -> TokenStream {
    let media_type = &body.media_type;
    match body.kind {
        BodyKind::Json if is_plain_json(body) => {
            quote!(::generated_client::request::Body::json(#reference))
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
        BodyKind::Multipart => quote!(::generated_client::request::Body::multipart(#reference)),
        BodyKind::Text => quote!(::generated_client::request::Body::text(#media_type, #owned)),
        BodyKind::Bytes => quote!(::generated_client::request::Body::bytes(#media_type, #owned)),
        BodyKind::Any => owned.clone(),
    }
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

/// Writes the constants of a body: always if the body is always sent, else only beside other members.
fn with_implicit(
    is_sent: bool,
    schema: &Schema,
    into: &TokenStream,
    given: &[TokenStream],
) -> TokenStream {
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
        quote!(#into.value(#wire, None, #value);)
    });
    let written: Vec<_> = written.collect();
    if is_sent || written.is_empty() {
        quote!(#(#written)* #(#given)*)
    } else {
        quote!(#(#given)* if !#into.is_empty() { #(#written)* })
    }
}

fn pairs(body: &Body, schema: &Schema, parts: &[&Argument<'_>]) -> TokenStream {
    let statements = parts.iter().map(|argument| {
        let wire = argument.wire;
        let style = match encoding(body, wire).and_then(|encoding| encoding.style.as_ref()) {
            Some(declared) => {
                let style = style(Location::Query, declared);
                quote!(Some(#style))
            }
            None => quote!(None),
        };
        given(argument, |value| quote!(form.value(#wire, #style, #value);))
    });
    let statements: Vec<_> = statements.collect();
    let statements = with_implicit(body.required, schema, &quote!(form), &statements);
    let write = quote!(request.body(::generated_client::request::Body::form(&form)););
    let write = if body.required {
        write
    } else {
        quote!(if !form.is_empty() { #write })
    };
    quote! {
        let mut form = ::generated_client::request::Form::new();
        #statements
        #write
    }
}

fn multipart(body: &Body, schema: &Schema, parts: &[&Argument<'_>]) -> TokenStream {
    let parts = parts_of(body, schema, parts, body.required);
    let write = quote!(request.body(::generated_client::request::Body::multipart(&parts)););
    let write = if body.required {
        write
    } else {
        quote!(if !parts.is_empty() { #write })
    };
    quote!(#parts #write)
}

/// The statements that make `parts` of arguments.
pub(super) fn parts_of(
    body: &Body,
    schema: &Schema,
    parts: &[&Argument<'_>],
    is_sent: bool,
) -> TokenStream {
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
                let media_type = match media_type {
                    Some(media_type) => quote!(Some(#media_type)),
                    None => quote!(None),
                };
                given(
                    argument,
                    |value| quote!(parts.value(#wire, #media_type, #value);),
                )
            }
        }
    });
    let statements: Vec<_> = statements.collect();
    let statements = with_implicit(is_sent, schema, &quote!(parts), &statements);
    quote! {
        let mut parts = ::generated_client::request::Multipart::new();
        #statements
    }
}
