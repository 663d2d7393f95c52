//! Unions: an enum with a variant for each alternative, and one that keeps what fits none.
//! Which alternative a value is, the runtime finds out from the tables that are emitted here.

use std::collections::HashSet;

use openapi_model::names;
use openapi_model::{Model, Schema, TextFormat};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::Context;
use super::items::replace;
use crate::types::rust_type::rust_type;

/// The variant that keeps what fits no alternative.
const CATCH_ALL: &str = "Unrecognized";

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    replace(file, |name| {
        let schema = context.model.schema(name)?;
        let alternatives = schema.alternatives()?;
        Some(union(context.model, schema, alternatives))
    })
}

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

fn union(model: &Model, schema: &Schema, alternatives: &[Value]) -> TokenStream {
    let name = names::ident(&schema.name);
    let mut taken = HashSet::from([CATCH_ALL.to_owned()]);
    let variants: Vec<Variant> = alternatives
        .iter()
        .enumerate()
        .map(|(index, place)| {
            let tags = schema.tag.as_ref().and_then(|tag| tag.values.get(index));
            variant(model, place, tags.map_or(&[], Vec::as_slice), &mut taken)
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
            ::metered_client::wire::Alternative {
                form: ::metered_client::wire::Form::#form,
                read: |text| ::metered_client::wire::#read(text).map(#make),
            }
        }
    });
    let conversions = conversions(&name, &variants);
    let is_certain = schema.tag.as_ref().is_some_and(|tag| tag.is_certain);
    let tag = match &schema.tag {
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
                ::metered_client::wire::one_of(
                    deserializer,
                    &::metered_client::wire::OneOf {
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

fn variant(model: &Model, place: &Value, tags: &[String], taken: &mut HashSet<String>) -> Variant {
    let schema = model.referenced(place);
    let inner = schema.map_or(place, |schema| &schema.value);
    let kind = inner.get("type").and_then(Value::as_str);
    let is_object = kind == Some("object") && inner.get("properties").is_some();
    let wanted = match (schema, kind) {
        (Some(schema), _) => schema.name.as_str(),
        (None, Some("string")) => "Text",
        (None, Some("integer")) => "Integer",
        (None, Some("number")) => "Number",
        (None, Some("boolean")) => "Boolean",
        (None, Some("array")) => "List",
        (None, Some("object")) => "Map",
        _ => "Other",
    };
    let mut name = wanted.to_owned();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}{number}");
        number += 1;
    }
    let form = match kind {
        Some("string") => quote!(Text),
        Some("integer" | "number") => quote!(Number),
        Some("boolean") => quote!(Boolean),
        Some("array") => quote!(List),
        Some("object") if is_object => {
            let required = schema.into_iter().flat_map(Schema::required);
            let known = schema.into_iter().flat_map(Schema::properties);
            let known = known.map(|(name, _)| name);
            quote!(Object { tags: &[#(#tags),*], required: &[#(#required),*], known: &[#(#known),*] })
        }
        _ => quote!(Map),
    };
    let read = match (schema, kind) {
        (None, Some("array")) => quote!(alternative_list),
        (None, Some("object")) => quote!(alternative_map),
        _ => quote!(alternative),
    };
    Variant {
        line: match (schema, kind) {
            (Some(schema), _) => format!("[`{}`].", schema.name),
            (None, Some("string")) => "A text.".to_owned(),
            (None, Some("integer")) => "A whole number.".to_owned(),
            (None, Some("number")) => "A number.".to_owned(),
            (None, Some("boolean")) => "A truth value.".to_owned(),
            (None, Some("array")) => "A list.".to_owned(),
            _ => "A map.".to_owned(),
        },
        name: names::ident(&name),
        payload: rust_type(place),
        is_boxed: is_object,
        is_formatted: TextFormat::of(place).is_some(),
        form,
        read,
    }
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
