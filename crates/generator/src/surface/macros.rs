//! The implementations that the runtime's macros expand to; emitted code has a line for each.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::walk::CODE;
use crate::types::subject;

/// Returns the implementations of a macro for its subject, without their bodies.
pub(super) fn implementations(call: &syn::Macro) -> Vec<syn::ItemImpl> {
    let last = call.path.segments.last();
    let tokens = subject(call)
        .zip(last)
        .and_then(|(name, last)| implemented(&last.ident.to_string(), &name, &call.tokens));
    // The templates below always parse.
    let file = tokens.and_then(|tokens| syn::parse2::<syn::File>(tokens).ok());
    let items = file.into_iter().flat_map(|file| file.items);
    let impls = items.filter_map(|item| match item {
        syn::Item::Impl(item) => Some(item),
        _ => None,
    });
    impls.collect()
}

/// Returns the method that the table of a builder defines.
fn send(table: &TokenStream) -> Option<TokenStream> {
    let rows = braced(table)?;
    let mut rows = rows.into_iter().skip_while(|token| !is_word(token, "send"));
    let how = rows.nth(1)?;
    let output = match how.to_string().as_str() {
        "text" => quote!(::std::string::String),
        "bytes" => quote!(::generated_client::Bytes),
        "nothing" => quote!(()),
        _ => {
            // Behind the arrow, without the comma at the end.
            let output = rows.skip_while(|token| !is_sign(token, '>'));
            let mut output: Vec<TokenTree> = output.skip(1).collect();
            output.pop();
            output.into_iter().collect()
        }
    };
    Some(quote! {
        /// Makes the call.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error) has a variant for each reason.
        pub async fn send(self) -> Result<::generated_client::Response<#output>, ::generated_client::Error> {}
    })
}

/// Returns the types that a union is made from.
fn payloads(table: &TokenStream) -> Vec<TokenStream> {
    let rows = braced(table).unwrap_or_default();
    let mut payloads = Vec::new();
    let mut before: Option<TokenTree> = None;
    for token in rows {
        let is_held = before
            .as_ref()
            .is_some_and(|word| is_word(word, "boxed") || is_word(word, "plain"));
        if let TokenTree::Group(group) = &token
            && is_held
        {
            payloads.push(group.stream());
        }
        before = Some(token);
    }
    payloads
}

/// Returns the rows of a table.
fn braced(table: &TokenStream) -> Option<TokenStream> {
    table.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    })
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Returns whether everything that a macro says is in its implementations.
pub(super) fn is_shown(call: &syn::Macro) -> bool {
    let shown = [
        "builder",
        "client_type",
        "documented",
        "metered_client",
        "string",
    ];
    let last = call.path.segments.last();
    last.is_some_and(|last| shown.iter().any(|name| last.ident == name))
}

/// Returns whether a macro is the table of a struct's members.
pub(super) fn is_table(call: &syn::Macro) -> bool {
    call.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "object")
}

/// Returns what the table of a struct says beyond its fields: the names of a member and whether it is omitted, by its field, and the members
/// that a response needs.
pub(super) fn rows(call: &syn::Macro) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for token in call.tokens.clone() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                let members = tokens.split(|token| is_sign(token, ','));
                rows.extend(members.filter_map(row));
            }
            TokenTree::Group(group) => rows.push((CODE.to_owned(), group.stream().to_string())),
            _ => {}
        }
    }
    rows
}

/// Returns a row by its field; `None` if it says only the function that reads it, and the name that the field has too.
fn row(tokens: &[TokenTree]) -> Option<(String, String)> {
    let [field, _, read, names @ ..] = tokens else {
        return None;
    };
    let is_plain = match names {
        [own] => own.to_string() == format!("\"{field}\""),
        _ => false,
    };
    if is_plain {
        return None;
    }
    let has_several = names.iter().any(|token| is_sign(token, '|'));
    let read = has_several.then(|| read.clone());
    let said: TokenStream = read.into_iter().chain(names.iter().cloned()).collect();
    Some((field.to_string(), said.to_string()))
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn implemented(call: &str, name: &syn::Ident, table: &TokenStream) -> Option<TokenStream> {
    let read = quote! {
        impl<'de> ::serde::Deserialize<'de> for #name {}
    };
    let any_enum = quote! {
        impl ::std::fmt::Display for #name {}
        impl ::std::cmp::PartialEq<str> for #name {}
        impl ::std::cmp::PartialEq<&str> for #name {}
        impl ::serde::Serialize for #name {}
    };
    Some(match call {
        "newtype" | "tuple_struct" => read,
        "object" => quote! {
            impl ::serde::Serialize for #name {}
            #read
        },
        "union" => {
            let payloads = payloads(table);
            quote! {
                /// An unrecognized `null`, for a response that lacks the value.
                impl ::std::default::Default for #name {}
                impl ::serde::Serialize for #name {}
                #read
                #(impl ::std::convert::From<#payloads> for #name {})*
            }
        }
        "string" => quote! {
            impl #name {
                /// The string.
                #[must_use]
                pub fn as_str(&self) -> &str {}
            }
            impl ::std::convert::From<&str> for #name {}
            impl ::std::convert::From<::std::string::String> for #name {}
            impl ::std::convert::From<&::std::string::String> for #name {}
            impl ::std::convert::From<&#name> for #name {}
            impl ::std::convert::AsRef<str> for #name {}
            impl ::std::cmp::PartialEq<str> for #name {}
            impl ::std::cmp::PartialEq<&str> for #name {}
            impl ::std::fmt::Display for #name {}
            #read
        },
        "open_enum" => quote! {
            impl #name {
                /// Every enum value that the document lists.
                pub const KNOWN: &'static [&'static str] = &[];
                /// The variants of these values.
                pub const ALL: &'static [Self] = &[];
                /// The enum value on the wire.
                #[must_use]
                pub fn as_str(&self) -> &str {}
            }
            impl ::std::default::Default for #name {}
            impl ::std::convert::From<&str> for #name {}
            impl ::std::str::FromStr for #name {
                type Err = ::std::convert::Infallible;
            }
            #read
            #any_enum
        },
        "closed_enum" => quote! {
            impl #name {
                /// Every enum value, in the order of the document.
                pub const KNOWN: &'static [&'static str] = &[];
                /// Every variant, in the same order.
                pub const ALL: &'static [Self] = &[];
                /// The enum value on the wire.
                #[must_use]
                pub const fn as_str(self) -> &'static str {}
            }
            impl ::std::str::FromStr for #name {
                type Err = ::generated_client::error::ParseEnumError;
            }
            #read
            #any_enum
        },
        _ => return implemented_for_calls(call, name, table),
    })
}

/// The items that the macros of builders and clients make.
fn implemented_for_calls(
    call: &str,
    name: &syn::Ident,
    table: &TokenStream,
) -> Option<TokenStream> {
    Some(match call {
        "builder" => {
            let send = send(table);
            quote! {
                impl #name {
                    #send
                }
                impl ::generated_client::Call for #name {}
            }
        }
        "documented" => {
            // The subject is the path in front of the comma.
            let path = table.clone().into_iter();
            let path: TokenStream = path.take_while(|token| !is_sign(token, ',')).collect();
            quote! {
                impl ::generated_client::document::Documented for #path {}
            }
        }
        "client_type" => quote! {
            impl ::generated_client::ApiClient for #name {}
            impl #name {
                /// Starts a call of any endpoint, documented or not, with the settings of the client.
                pub fn raw(
                    &self,
                    method: ::generated_client::Method,
                    path: impl Into<String>,
                ) -> ::generated_client::RawCall {}
            }
        },
        "metered_client" => quote! {
            impl #name {
                /// Returns the budget: what this client's calls have cost, and their limit.
                #[must_use]
                pub fn budget(&self) -> &::generated_client::Budget {}
                /// Returns a client whose calls spend at most this much of the budget.
                #[must_use]
                pub fn scoped(&self, limit: impl Into<Option<::generated_client::Credits>>) -> Self {}
                /// Returns the observed prices, by operation and by the arguments that may affect the price.
                #[must_use]
                pub fn prices(&self) -> Vec<::generated_client::money::SeenPrice> {}
            }
        },
        "paged" => quote! {
            impl #name {
                pub fn pages(self) -> ::generated_client::paging::Pages<Self> {}
                pub fn items(self) -> ::generated_client::paging::Items<Self> {}
            }
        },
        _ => return None,
    })
}
