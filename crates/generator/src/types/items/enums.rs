//! Enumerations. In responses they are open: a value that the document does not list decodes, is kept, and is written back unchanged.
//! In requests they are closed: only listed values compile.

use std::collections::HashMap;

use openapi_model::names;
use openapi_model::{Aliases, Schema, variants};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::docs;

pub(super) fn emit(schema: &Schema) -> TokenStream {
    let values = EnumValues::of(schema);
    let specific = match schema.is_open() {
        true => values.open(),
        false => values.closed(),
    };
    let shared = values.shared();
    quote!(#specific #shared)
}

struct EnumValues<'s> {
    name: syn::Ident,
    values: Vec<&'s str>,
    variants: Vec<syn::Ident>,
    /// What the document says of each.
    texts: Vec<Option<&'s str>>,
    /// Each enum value with its other spellings.
    spellings: Vec<Vec<&'s str>>,
}

impl<'s> EnumValues<'s> {
    fn of(schema: &'s Schema) -> Self {
        let values: Vec<&str> = schema.texts().iter().map(String::as_str).collect();
        let aliases = schema.place.aliases.iter();
        let aliases: HashMap<&str, &[String]> = aliases.flat_map(Aliases::spellings).collect();
        Self {
            name: names::ident(&schema.name),
            variants: variants(schema)
                .iter()
                .map(|(_, variant)| names::ident(variant))
                .collect(),
            texts: (0..values.len())
                .map(|index| schema.place.labels.get(index)?.text.as_deref())
                .collect(),
            spellings: values
                .iter()
                .map(|value| {
                    let others = aliases.get(value).copied().unwrap_or_default();
                    let others = others.iter().map(String::as_str);
                    std::iter::once(*value).chain(others).collect()
                })
                .collect(),
            values,
        }
    }

    fn documented_variants(&self) -> TokenStream {
        let all = self.values.iter().zip(&self.variants).zip(&self.texts);
        let docs = all.map(|((value, variant), text)| {
            let name = variant.to_string();
            let said = text.filter(|text| !text.trim().is_empty()).map(docs::text);
            let value = match value.is_empty() {
                true => vec!["The empty text.".to_owned()],
                false => docs::unless_repeated(None, value, &name),
            };
            docs::attributes(&docs::paragraphs(said.into_iter().chain([value])))
        });
        let variants = &self.variants;
        quote!(#(#(#docs)* #variants,)*)
    }

    /// What stands where a response lacks the value, with its documentation: what the empty text is read as.
    fn missing(&self) -> (TokenStream, TokenStream) {
        let mut all = self.variants.iter().zip(&self.spellings);
        let (value, text) = match all.find(|(_, spellings)| spellings.contains(&"")) {
            Some((variant, _)) => (quote!(Self::#variant), "The empty text"),
            None => (
                quote!(Self::Unrecognized(::std::string::String::new())),
                "An unrecognized empty text",
            ),
        };
        let text = format!("{text}: what stands where a response lacks the value.");
        let docs = docs::attributes(&[text]);
        (value, quote!(#(#docs)*))
    }

    /// Emits an open enumeration: an unlisted value is kept.
    fn open(&self) -> TokenStream {
        let Self {
            name,
            values,
            variants,
            spellings,
            ..
        } = self;
        let documented = self.documented_variants();
        let (missing, missing_doc) = self.missing();
        quote! {
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum #name {
                #documented
                /// A value that the document does not list, kept as received.
                Unrecognized(::std::string::String),
            }

            impl #name {
                /// Every enum value that the document lists.
                pub const KNOWN: &'static [&'static str] = &[#(#values),*];

                /// The variants of these values.
                pub const ALL: &'static [Self] = &[#(Self::#variants),*];

                /// The enum value as it is written on the wire.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    match self {
                        #(Self::#variants => #values,)*
                        Self::Unrecognized(value) => value,
                    }
                }
            }

            #missing_doc
            impl ::std::default::Default for #name {
                fn default() -> Self {
                    #missing
                }
            }

            impl ::std::convert::From<&str> for #name {
                fn from(value: &str) -> Self {
                    match value {
                        #(#(#spellings)|* => Self::#variants,)*
                        _ => Self::Unrecognized(value.to_owned()),
                    }
                }
            }

            /// Reads any text: a value that the document does not list is kept.
            impl ::std::str::FromStr for #name {
                type Err = ::std::convert::Infallible;

                fn from_str(value: &str) -> ::std::result::Result<Self, ::std::convert::Infallible> {
                    Ok(Self::from(value))
                }
            }

            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                    ::generated_client::wire::enum_value(deserializer)
                }
            }
        }
    }

    /// Emits a closed enumeration: only listed values exist.
    fn closed(&self) -> TokenStream {
        let Self {
            name,
            values,
            variants,
            spellings,
            ..
        } = self;
        let documented = self.documented_variants();
        quote! {
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum #name {
                #documented
            }

            impl #name {
                /// Every enum value, in the order of the document.
                pub const KNOWN: &'static [&'static str] = &[#(#values),*];

                /// Every variant, in the same order.
                pub const ALL: &'static [Self] = &[#(Self::#variants),*];

                /// The enum value as it is written on the wire.
                #[must_use]
                pub const fn as_str(self) -> &'static str {
                    match self {
                        #(Self::#variants => #values,)*
                    }
                }
            }

            impl ::std::str::FromStr for #name {
                type Err = ::generated_client::error::ParseEnumError;

                fn from_str(value: &str) -> ::std::result::Result<Self, ::generated_client::error::ParseEnumError> {
                    match value {
                        #(#(#spellings)|* => Ok(Self::#variants),)*
                        _ => Err(::generated_client::error::ParseEnumError::new(value, Self::KNOWN)),
                    }
                }
            }

            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                    ::generated_client::wire::known_enum_value(deserializer)
                }
            }
        }
    }

    fn shared(&self) -> TokenStream {
        let name = &self.name;
        quote! {
            impl ::std::fmt::Display for #name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.pad(self.as_str())
                }
            }

            impl ::std::cmp::PartialEq<str> for #name {
                fn eq(&self, other: &str) -> bool {
                    self.as_str() == other
                }
            }

            impl ::std::cmp::PartialEq<&str> for #name {
                fn eq(&self, other: &&str) -> bool {
                    self.as_str() == *other
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
