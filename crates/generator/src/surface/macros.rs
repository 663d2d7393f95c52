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
        .and_then(|(name, last)| implemented(&last.ident.to_string(), &name));
    // The template below always parses.
    let file = tokens.and_then(|tokens| syn::parse2::<syn::File>(tokens).ok());
    let items = file.into_iter().flat_map(|file| file.items);
    let impls = items.filter_map(|item| match item {
        syn::Item::Impl(item) => Some(item),
        _ => None,
    });
    impls.collect()
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

fn implemented(call: &str, name: &syn::Ident) -> Option<TokenStream> {
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
        "union" => quote! {
            /// An unrecognized `null`, for a response that lacks the value.
            impl ::std::default::Default for #name {}
            impl ::serde::Serialize for #name {}
            #read
        },
        "call" => quote! {
            impl ::generated_client::Call for #name {}
        },
        "paged" => quote! {
            impl #name {
                pub fn pages(self) -> ::generated_client::paging::Pages<Self> {}
                pub fn items(self) -> ::generated_client::paging::Items<Self> {}
            }
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
        _ => return None,
    })
}
