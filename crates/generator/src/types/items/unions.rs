//! Unions: an enum with a variant for each alternative, and one that keeps what fits none.
//! Which alternative a value is, the runtime finds out from the tables that are emitted here.

use std::collections::HashSet;

use openapi_model::names;
use openapi_model::{Model, Place, Scalar, Schema, Shape, Tag};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::rust_type::{Home, rust_type};

/// The variant that keeps what fits no alternative.
const CATCH_ALL: &str = "Unrecognized";

/// One alternative as a variant.
struct Variant {
    name: syn::Ident,
    /// What it holds.
    payload: TokenStream,
    /// Whether it is held in a box, which keeps the others small and a type that contains itself finite.
    is_boxed: bool,
    form: TokenStream,
    /// Whether it is a text with a type of the runtime, which is made from any text.
    is_formatted: bool,
    /// The function of the runtime that reads it.
    read: TokenStream,
    line: String,
}

pub(super) fn emit(
    model: &Model,
    schema: &Schema,
    alternatives: &[Place],
    tag: Option<&Tag>,
) -> TokenStream {
    let name = names::ident(&schema.name);
    let home = Home::of_type(schema.usage.request);
    let mut taken = HashSet::from([CATCH_ALL.to_owned()]);
    let variants: Vec<Variant> = alternatives
        .iter()
        .enumerate()
        .map(|(index, place)| {
            let tags = tag.and_then(|tag| tag.values.get(index));
            variant(
                model,
                home,
                place,
                tags.map_or(&[], Vec::as_slice),
                &mut taken,
            )
        })
        .collect();
    let declared = variants.iter().map(|variant| {
        let (name, line) = (&variant.name, format!(" {}", variant.line));
        let held = held(variant);
        quote!(#[doc = #line] #name(#held))
    });
    let written = variants.iter().map(|variant| {
        let name = &variant.name;
        quote!(Self::#name(value) => ::serde::Serialize::serialize(value, serializer))
    });
    let rows = variants.iter().map(|variant| {
        let Variant {
            name, form, read, ..
        } = variant;
        let make = match variant.is_boxed {
            true => quote!(|value| Self::#name(::std::boxed::Box::new(value))),
            // clippy refuses a closure that only calls the variant.
            false => quote!(Self::#name),
        };
        quote! {
            ::generated_client::wire::Alternative {
                form: ::generated_client::wire::Form::#form,
                read: |text| ::generated_client::wire::#read(text).map(#make),
            }
        }
    });
    let conversions = conversions(&name, &variants);
    let is_certain = tag.is_some_and(|tag| tag.is_certain);
    let tag = match tag {
        Some(tag) => {
            let property = &tag.property;
            quote!(::std::option::Option::Some(#property))
        }
        None => quote!(::std::option::Option::None),
    };
    quote! {
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#declared,)*
            /// A value that fits none of the others, as it came.
            Unrecognized(::serde_json::Value),
        }

        #conversions

        /// An unrecognized `null`: what stands where a response lacks the value.
        impl ::std::default::Default for #name {
            fn default() -> Self {
                Self::Unrecognized(::serde_json::Value::Null)
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    #(#written,)*
                    Self::Unrecognized(value) => ::serde::Serialize::serialize(value, serializer),
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                ::generated_client::wire::one_of(
                    deserializer,
                    &::generated_client::wire::OneOf {
                        tag: #tag,
                        is_certain: #is_certain,
                        alternatives: &[#(#rows),*],
                        unrecognized: Self::Unrecognized,
                    },
                )
            }
        }
    }
}

fn held(variant: &Variant) -> TokenStream {
    let payload = &variant.payload;
    match variant.is_boxed {
        true => quote!(::std::boxed::Box<#payload>),
        false => payload.clone(),
    }
}

fn variant(
    model: &Model,
    home: Home,
    place: &Place,
    tags: &[String],
    taken: &mut HashSet<String>,
) -> Variant {
    let schema = model.referenced(place);
    let shape = &model.resolved(place).shape;
    let (name, line) = match (schema, shape) {
        (Some(schema), _) => (schema.name.as_str(), format!("[`{}`].", schema.name)),
        (None, shape) => {
            let (name, line) = unnamed(shape);
            (name, line.to_owned())
        }
    };
    let (form, is_object) = match shape {
        Shape::Texts { .. } => (quote!(Text), false),
        Shape::Scalar { kind, .. } => match kind {
            Scalar::Text => (quote!(Text), false),
            Scalar::Integer | Scalar::Number => (quote!(Number), false),
            Scalar::Boolean => (quote!(Boolean), false),
        },
        Shape::List(_) | Shape::Tuple(_) => (quote!(List), false),
        Shape::Object(object) => {
            let required = schema.map_or(&[][..], |_| &object.required);
            let known = schema.map_or(&[][..], |_| &object.properties);
            let known = known.iter().map(|property| &property.name);
            let form = quote!(Object { tags: &[#(#tags),*], required: &[#(#required),*], known: &[#(#known),*] });
            (form, true)
        }
        _ => (quote!(Map), false),
    };
    let read = match (schema, shape) {
        (None, Shape::List(_)) => quote!(alternative_list),
        (None, Shape::Map(_)) => quote!(alternative_map),
        _ => quote!(alternative),
    };
    Variant {
        name: unique(name, taken),
        line,
        payload: rust_type(place, home),
        is_boxed: is_object,
        is_formatted: place.text_format().is_some(),
        form,
        read,
    }
}

/// The name and the line of a variant whose values have no name.
fn unnamed(shape: &Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Texts { .. } => ("Text", "A text."),
        Shape::Scalar { kind, .. } => match kind {
            Scalar::Text => ("Text", "A text."),
            Scalar::Integer => ("Integer", "A whole number."),
            Scalar::Number => ("Number", "A number."),
            Scalar::Boolean => ("Boolean", "A truth value."),
        },
        Shape::List(_) | Shape::Tuple(_) => ("List", "A list."),
        Shape::Map(_) | Shape::Object(_) => ("Map", "A map."),
        Shape::Any | Shape::Union { .. } | Shape::Reference(_) => ("Other", "A map."),
    }
}

/// A name that no other variant has.
fn unique(wanted: &str, taken: &mut HashSet<String>) -> syn::Ident {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}{number}");
        number += 1;
    }
    names::ident(&name)
}

/// Makes the union from what only one variant holds.
fn conversions(name: &syn::Ident, variants: &[Variant]) -> TokenStream {
    let count = |payload: &str| {
        let payloads = variants.iter().map(|variant| variant.payload.to_string());
        payloads.filter(|one| one == payload).count()
    };
    let mut conversions = TokenStream::new();
    for variant in variants {
        let (ident, payload) = (&variant.name, &variant.payload);
        let text = payload.to_string();
        if count(&text) > 1 || text == quote!(::serde_json::Value).to_string() {
            continue;
        }
        let made = match variant.is_boxed {
            true => quote!(Self::#ident(::std::boxed::Box::new(value))),
            false => quote!(Self::#ident(value)),
        };
        conversions.extend(quote! {
            impl ::std::convert::From<#payload> for #name {
                fn from(value: #payload) -> Self {
                    #made
                }
            }
        });
        let is_text = text == quote!(::std::string::String).to_string();
        if is_text || variant.is_formatted {
            conversions.extend(quote! {
                impl ::std::convert::From<&str> for #name {
                    fn from(value: &str) -> Self {
                        Self::#ident(value.into())
                    }
                }
            });
        }
        if variant.is_formatted {
            conversions.extend(quote! {
                impl ::std::convert::From<::std::string::String> for #name {
                    fn from(value: ::std::string::String) -> Self {
                        Self::#ident(value.into())
                    }
                }
            });
        }
    }
    conversions
}
