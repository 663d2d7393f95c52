//! Named string types: a newtype over `String` that is made from any string and dereferences to one.

use openapi_model::names;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(name: &str) -> TokenStream {
    let name = names::ident(name);
    quote! {
            #[derive(::serde::Serialize, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[serde(transparent)]
            pub struct #name(::std::string::String);

            impl #name {
                /// The string.
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

            ::generated_client::wire::newtype!(#name, required);
    }
}
