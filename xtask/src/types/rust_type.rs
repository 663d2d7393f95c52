//! The Rust type of a place.

use proc_macro2::TokenStream;
use quote::quote;

use super::runtime::instead;
use crate::names;
use crate::openapi::{Others, Place, Scalar, Shape};

/// The type of the values of a place, whether or not they may be null.
pub(super) fn rust_type(place: &Place) -> TokenStream {
    if let Some(runtime) = instead(place)
        && let Ok(path) = syn::parse_str::<syn::Path>(runtime.path)
    {
        return quote!(#path);
    }
    match &place.shape {
        Shape::Reference(name) => {
            let name = names::ident(name);
            quote!(#name)
        }
        Shape::Texts { .. } => quote!(::std::string::String),
        Shape::Scalar { kind, .. } => match kind {
            Scalar::Text => quote!(::std::string::String),
            Scalar::Integer if place.is_u64() => quote!(u64),
            Scalar::Integer => quote!(i64),
            Scalar::Number => quote!(f64),
            Scalar::Boolean => quote!(bool),
        },
        Shape::List(items) => {
            let item = rust_type(items);
            quote!(::std::vec::Vec<#item>)
        }
        Shape::Map(Others::Of(others)) => {
            let other = rust_type(others);
            quote!(::std::collections::BTreeMap<::std::string::String, #other>)
        }
        Shape::Map(_) | Shape::Object(_) => {
            quote!(::serde_json::Map<::std::string::String, ::serde_json::Value>)
        }
        Shape::Any | Shape::Tuple(_) | Shape::Union { .. } => quote!(::serde_json::Value),
    }
}
