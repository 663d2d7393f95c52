//! Words that a service sends: a word that the document does not list decodes, is kept and is written back as it came.

use quote::quote;
use serde_json::Value;

use super::{Context, take_type};
use crate::names;
use crate::types::docs;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for schema in &context.model.schemas {
        let words: Vec<&str> = schema
            .value
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if words.is_empty() || !schema.usage.response {
            continue;
        }
        let Some(place) = take_type(file, &schema.name) else {
            continue;
        };
        let items = emit(&schema.name, &words, &schema.value)?;
        file.items.splice(place..place, items);
    }
    Ok(())
}

fn emit(name: &str, words: &[&str], schema: &Value) -> syn::Result<Vec<syn::Item>> {
    let name = names::ident(name);
    let variants: Vec<_> = words
        .iter()
        .map(|word| names::ident(&names::pascal(word)))
        .collect();
    let variant_docs = words
        .iter()
        .map(|word| docs::attributes(&[format!("`{word}`")]));
    let spellings = words.iter().map(|word| {
        let aliases = schema
            .get("x-aliases")
            .and_then(|aliases| aliases.get(word))
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        std::iter::once(*word).chain(aliases).collect::<Vec<&str>>()
    });
    let file: syn::File = syn::parse2(quote! {
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#(#variant_docs)* #variants,)*
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

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                ::metered_client::wire::word(deserializer)
            }
        }
    })?;
    Ok(file.items)
}
