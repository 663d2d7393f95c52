//! Named texts: a newtype over `String` that is made from any text and read as one.

use quote::quote;
use serde_json::Value;

use super::{Context, take_type};
use crate::names;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for schema in &context.model.schemas {
        let is_text = schema.value.get("type").and_then(Value::as_str) == Some("string")
            && schema.value.get("enum").is_none();
        if !is_text {
            continue;
        }
        let Some(place) = take_type(file, &schema.name) else {
            continue;
        };
        let name = names::ident(&schema.name);
        // A composition around it is read from text by way of it.
        let is_parsed = file.items.iter().any(|item| {
            let text = quote!(#item).to_string();
            text.contains(&format!("< {name} as :: std :: str :: FromStr >"))
        });
        let from_str = is_parsed.then(|| {
            quote! {
                impl ::std::str::FromStr for #name {
                    type Err = ::std::convert::Infallible;

                    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                        Ok(Self(text.to_owned()))
                    }
                }
            }
        });
        let items: syn::File = syn::parse2(quote! {
            #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[serde(transparent)]
            pub struct #name(::std::string::String);

            impl #name {
                /// The text.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl ::std::convert::From<&str> for #name {
                fn from(text: &str) -> Self {
                    Self(text.to_owned())
                }
            }

            impl ::std::convert::From<::std::string::String> for #name {
                fn from(text: ::std::string::String) -> Self {
                    Self(text)
                }
            }

            impl ::std::convert::From<&::std::string::String> for #name {
                fn from(text: &::std::string::String) -> Self {
                    Self(text.clone())
                }
            }

            impl ::std::convert::From<&#name> for #name {
                fn from(other: &#name) -> Self {
                    other.clone()
                }
            }

            #from_str

            impl ::std::convert::AsRef<str> for #name {
                fn as_ref(&self) -> &str {
                    &self.0
                }
            }

            impl ::std::cmp::PartialEq<str> for #name {
                fn eq(&self, other: &str) -> bool {
                    self.0 == other
                }
            }

            impl ::std::cmp::PartialEq<&str> for #name {
                fn eq(&self, other: &&str) -> bool {
                    self.0 == *other
                }
            }

            impl ::std::fmt::Display for #name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.write_str(&self.0)
                }
            }
        })?;
        file.items.splice(place..place, items.items);
    }
    Ok(())
}
