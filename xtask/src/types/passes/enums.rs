//! Words. A word that a service sends and the document does not list decodes, is kept and is written back as it came;
//! a word that a caller sends is one of the list, and any other does not compile.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::Context;
use super::items::replace;
use crate::names;
use crate::openapi::{ANY_TEXT, Schema, variants};
use crate::types::docs;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    replace(file, |name| {
        let schema = context.model.schema(name)?;
        let words = Words::of(schema);
        if words.words.is_empty() {
            return None;
        }
        let is_open = schema.usage.response || schema.value.get(ANY_TEXT).is_some();
        let specific = match is_open {
            true => words.open(),
            false => words.closed(),
        };
        let shared = words.shared();
        Some(quote!(#specific #shared))
    })
}

struct Words<'s> {
    name: syn::Ident,
    words: Vec<&'s str>,
    variants: Vec<syn::Ident>,
    /// Each word with its other spellings.
    spellings: Vec<Vec<&'s str>>,
}

impl<'s> Words<'s> {
    fn of(schema: &'s Schema) -> Self {
        let words: Vec<&str> = schema
            .value
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let aliases = schema.value.get("x-aliases");
        Self {
            name: names::ident(&schema.name),
            variants: variants(schema)
                .iter()
                .map(|(_, variant)| names::ident(variant))
                .collect(),
            spellings: words
                .iter()
                .map(|word| {
                    let others = aliases
                        .and_then(|aliases| aliases.get(word)?.as_array())
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str);
                    std::iter::once(*word).chain(others).collect()
                })
                .collect(),
            words,
        }
    }

    fn documented_variants(&self) -> TokenStream {
        let docs = self
            .words
            .iter()
            .map(|word| docs::attributes(&[format!("`{word}`")]));
        let variants = &self.variants;
        quote!(#(#(#docs)* #variants,)*)
    }

    /// Keeps what it does not know.
    fn open(&self) -> TokenStream {
        let Self {
            name,
            words,
            variants,
            spellings,
        } = self;
        let documented = self.documented_variants();
        quote! {
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum #name {
                #documented
                /// A word that the document does not list, as it came.
                Unrecognized(::std::string::String),
            }

            impl #name {
                /// Every word that the document lists.
                pub const KNOWN: &'static [&'static str] = &[#(#words),*];

                /// The word as it is written on the wire.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    match self {
                        #(Self::#variants => #words,)*
                        Self::Unrecognized(word) => word,
                    }
                }
            }

            impl ::std::convert::From<&str> for #name {
                fn from(word: &str) -> Self {
                    match word {
                        #(#(#spellings)|* => Self::#variants,)*
                        _ => Self::Unrecognized(word.to_owned()),
                    }
                }
            }

            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                    ::metered_client::wire::word(deserializer)
                }
            }
        }
    }

    /// Knows the list and nothing else.
    fn closed(&self) -> TokenStream {
        let Self {
            name,
            words,
            variants,
            spellings,
        } = self;
        let documented = self.documented_variants();
        quote! {
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum #name {
                #documented
            }

            impl #name {
                /// Every word, in the order of the document.
                pub const KNOWN: &'static [&'static str] = &[#(#words),*];

                /// The word as it is written on the wire.
                #[must_use]
                pub const fn as_str(self) -> &'static str {
                    match self {
                        #(Self::#variants => #words,)*
                    }
                }
            }

            impl ::std::str::FromStr for #name {
                type Err = ::metered_client::ParseEnumError;

                fn from_str(word: &str) -> ::std::result::Result<Self, Self::Err> {
                    match word {
                        #(#(#spellings)|* => Ok(Self::#variants),)*
                        _ => Err(::metered_client::ParseEnumError::new(word, Self::KNOWN)),
                    }
                }
            }

            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                    ::metered_client::wire::known_word(deserializer)
                }
            }
        }
    }

    fn shared(&self) -> TokenStream {
        let name = &self.name;
        quote! {
            impl ::std::fmt::Display for #name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.write_str(self.as_str())
                }
            }

            impl ::serde::Serialize for #name {
                fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }
        }
    }
}
