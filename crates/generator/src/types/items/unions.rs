//! Unions: an enum with a variant for each alternative, and one that keeps what fits none.
//! Which alternative a value is, the runtime finds out from the tables that are emitted here.

use std::collections::HashSet;

use openapi_model::names;
use openapi_model::{Model, Place, Schema, Shape, Tag};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::forms::{self, Forms};
use super::variant_names::{self, called, unique, unnamed};
use crate::types::rust_type::{TypeLocation, has_null_elements, is_json_map, rust_type};

/// One alternative as a variant.
struct Variant {
    name: syn::Ident,
    /// Its payload.
    payload: TokenStream,
    /// True if it is boxed, which keeps the others small and a type that contains itself finite.
    is_boxed: bool,
    form: TokenStream,
    /// True if it is a string with a type of the runtime, which is made from any string.
    is_formatted: bool,
    /// The tag that it is written with, if its payload does not write it, and its values.
    written_tag: Option<(String, Vec<String>)>,
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
    let mut taken = HashSet::from([variant_names::CATCH_ALL.to_owned()]);
    let forms = Forms::of(model, alternatives, tag);
    let variants: Vec<Variant> = alternatives
        .iter()
        .enumerate()
        .map(|(index, place)| {
            let tags = tag.and_then(|tag| tag.values.get(index));
            variant(
                &forms,
                schema,
                place,
                tag.map(|tag| tag.property.as_str()),
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
    let rows = variants.iter().map(|variant| {
        let Variant {
            name, form, read, ..
        } = variant;
        let hold = if variant.is_boxed {
            quote!(boxed)
        } else {
            quote!(plain)
        };
        let tagged = variant
            .written_tag
            .as_ref()
            .map(|(tag, values)| quote!(tagged #tag [#(#values),*]));
        quote!(#name: #hold #read #tagged = #form,)
    });
    let conversions = conversions(&name, &variants);
    let otherwise = match tag.map(|tag| (tag.default, tag.is_certain)) {
        Some((Some(index), _)) => {
            let index = Literal::usize_unsuffixed(index);
            quote!(Alternative(#index))
        }
        Some((None, true)) => quote!(Unrecognized),
        _ => quote!(Likeliest),
    };
    let tag = tag.map(|tag| {
        let property = &tag.property;
        quote!(by #property)
    });
    quote! {
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#declared,)*
            /// A value that fits no other variant, unchanged.
            Unrecognized(::serde_json::Value),
        }

        ::generated_client::wire::union!(#name #tag else #otherwise { #(#rows)* });

        #conversions
    }
}

fn held(variant: &Variant) -> TokenStream {
    let payload = &variant.payload;
    if variant.is_boxed {
        quote!(::std::boxed::Box<#payload>)
    } else {
        payload.clone()
    }
}

fn variant(
    known: &Forms<'_>,
    union: &Schema,
    place: &Place,
    tag: Option<&str>,
    tags: &[String],
    taken: &mut HashSet<String>,
) -> Variant {
    let (model, location) = (known.model, TypeLocation::Types(union.usage));
    let schema = model.referenced(place);
    let shape = &model.resolved(place).shape;
    let (name, line) = match (schema, shape) {
        (Some(schema), _) => (called(union, schema, tags), format!("[`{}`].", schema.name)),
        (None, shape) => {
            let (name, line) = unnamed(shape);
            (name.to_owned(), line.to_owned())
        }
    };
    let (form, is_object) = match shape {
        Shape::Object(_) => (known.object(schema, tags), true),
        _ => (forms::plain(shape), false),
    };
    let read = match (schema, shape) {
        (None, _) if has_null_elements(place) => quote!(content_with_nulls),
        (None, Shape::List(_)) => quote!(content_list),
        (None, Shape::Map(others)) if !is_json_map(others) => quote!(content_map),
        _ => quote!(required),
    };
    let writes_itself = |schema: &&Schema| {
        let property = tag.and_then(|tag| schema.property(tag));
        property.is_some_and(|place| place.constant.is_some())
    };
    let written_tag = tag
        .filter(|_| union.usage.request && is_object && !tags.is_empty())
        .filter(|_| !schema.as_ref().is_some_and(writes_itself))
        .map(|tag| (tag.to_owned(), tags.to_vec()));
    Variant {
        name: unique(&name, taken),
        written_tag,
        line,
        payload: rust_type(place, location),
        is_boxed: is_object,
        is_formatted: place.text_format().is_some(),
        form,
        read,
    }
}

/// Emits conversions from payloads that only one variant has.
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
        let made = if variant.is_boxed {
            quote!(Self::#ident(::std::boxed::Box::new(value)))
        } else {
            quote!(Self::#ident(value))
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
