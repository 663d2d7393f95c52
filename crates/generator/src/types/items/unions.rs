//! Unions: an enum with a variant for each alternative, and one that keeps what fits none.
//! Which alternative a value is, the runtime finds out from the tables that are emitted here.

use std::collections::{HashMap, HashSet};

use openapi_model::{Model, Place, Schema, Shape, Tag, names};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::fields::is_collection;
use super::forms::Forms;
use super::variant_names::{self, called, unique, unnamed};
use crate::types::rust_type::{TypeLocation, rust_type};

/// How many variants have each payload.
type Payloads = HashMap<String, usize>;

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
    let declared = variants.iter().map(Variant::declared);
    let mut payloads = Payloads::new();
    for variant in &variants {
        *payloads.entry(variant.payload.to_string()).or_default() += 1;
    }
    let rows = variants.iter().map(|variant| variant.row(&payloads));
    let conversions = variants.iter();
    let conversions = conversions.map(|variant| variant.string_conversions(&name, &payloads));
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

        #(#conversions)*
    }
}

impl Variant {
    fn declared(&self) -> TokenStream {
        let (name, payload) = (&self.name, &self.payload);
        let line = format!(" {}", self.line);
        if self.is_boxed {
            quote!(#[doc = #line] #name(::std::boxed::Box<#payload>))
        } else {
            quote!(#[doc = #line] #name(#payload))
        }
    }

    /// Returns whether a payload makes the union, because only this variant has it.
    fn is_made_from(&self, payloads: &Payloads) -> bool {
        let payload = self.payload.to_string();
        payloads.get(&payload) == Some(&1) && payload != quote!(::serde_json::Value).to_string()
    }

    /// The row by which the runtime makes, reads and writes it.
    fn row(&self, payloads: &Payloads) -> TokenStream {
        let (name, form, read) = (&self.name, &self.form, &self.read);
        let hold = if self.is_boxed {
            quote!(boxed)
        } else {
            quote!(plain)
        };
        let payload = &self.payload;
        let from = self.is_made_from(payloads).then(|| quote!((#payload)));
        let tagged = self.written_tag.as_ref();
        let tagged = tagged.map(|(tag, values)| quote!(tagged #tag [#(#values),*]));
        quote!(#name: #hold #from #read #tagged = #form,)
    }

    /// Emits the conversions from strings, if only this variant has its payload.
    fn string_conversions(&self, union: &syn::Ident, payloads: &Payloads) -> TokenStream {
        let is_text = self.payload.to_string() == quote!(::std::string::String).to_string();
        if !self.is_made_from(payloads) || !(is_text || self.is_formatted) {
            return TokenStream::new();
        }
        let name = &self.name;
        let owned = self.is_formatted.then(|| {
            quote! {
                impl ::std::convert::From<::std::string::String> for #union {
                    fn from(value: ::std::string::String) -> Self {
                        Self::#name(value.into())
                    }
                }
            }
        });
        quote! {
            impl ::std::convert::From<&str> for #union {
                fn from(value: &str) -> Self {
                    Self::#name(value.into())
                }
            }

            #owned
        }
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
        (None, Shape::List(items)) if known.lists.len() > 1 => {
            let (item, line) = match model.referenced(items) {
                Some(schema) => {
                    let line = format!("A list of [`{}`].", schema.name);
                    (called(union, schema, &[]), line)
                }
                None => (unnamed(&items.shape).0.to_owned(), "A list.".to_owned()),
            };
            (format!("{item}List"), line)
        }
        (None, shape) => {
            let (name, line) = unnamed(shape);
            (name.to_owned(), line.to_owned())
        }
    };
    let object = schema.filter(|schema| schema.object().is_some());
    let form = match object {
        Some(object) => known.object(object, tags),
        None => known.other(place),
    };
    let read = if schema.is_none() && is_collection(model.resolved(place)) {
        quote!(collection)
    } else {
        quote!(value)
    };
    let own_tag = object
        .zip(tag)
        .and_then(|(object, tag)| object.property(tag));
    let writes_itself = own_tag.is_some_and(|place| place.constant.is_some());
    // Of several values, the caller chooses one, in the member that the type has.
    let is_chosen = own_tag.is_some() && tags.len() > 1;
    let is_tagged = union.usage.request && object.is_some() && !tags.is_empty() && !is_chosen;
    let written_tag = tag.filter(|_| is_tagged && !writes_itself);
    Variant {
        name: unique(&name, taken),
        written_tag: written_tag.map(|tag| (tag.to_owned(), tags.to_vec())),
        line,
        payload: rust_type(place, location),
        is_boxed: object.is_some(),
        is_formatted: place.text_format().is_some(),
        form,
        read,
    }
}
