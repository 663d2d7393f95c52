//! The Rust type of a place.

use proc_macro2::TokenStream;
use quote::quote;

use super::runtime::{chosen, instead};
use crate::names;
use crate::openapi::{Others, Place, Scalar, Shape};

/// The type of the values of a place, whether or not they may be null themselves. `keeps_nulls` says whether elements of lists and maps that
/// may be null are options: what only a service sends is read without them.
pub(super) fn rust_type(place: &Place, keeps_nulls: bool) -> TokenStream {
    if let Some(runtime) = instead(place) {
        return path(runtime.path);
    }
    if let Some(runtime) = chosen(place) {
        let plain = Place {
            rust_type: None,
            ..place.clone()
        };
        let inner = rust_type(plain.items().unwrap_or(&plain), keeps_nulls);
        let around = path(runtime.path);
        return quote!(#around<#inner>);
    }
    let element = |element: &Place| {
        let inner = rust_type(element, keeps_nulls);
        match keeps_nulls && is_option(element) {
            true => quote!(::std::option::Option<#inner>),
            false => inner,
        }
    };
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
            let item = element(items);
            quote!(::std::vec::Vec<#item>)
        }
        Shape::Map(Others::Of(others)) if !is_any(others) => {
            let other = element(others);
            quote!(::std::collections::BTreeMap<::std::string::String, #other>)
        }
        Shape::Map(_) | Shape::Object(_) => {
            quote!(::serde_json::Map<::std::string::String, ::serde_json::Value>)
        }
        Shape::Any | Shape::Tuple(_) | Shape::Union { .. } => quote!(::serde_json::Value),
    }
}

/// Whether an element that may be null is an option. What is not a schema of its own is, and any JSON has null itself.
fn is_option(place: &Place) -> bool {
    let is_written_out = !matches!(place.shape, Shape::Reference(_) | Shape::Any);
    place.nullable && is_written_out && instead(place).is_none()
}

/// Whether the members of a map are any JSON.
pub(super) fn is_json_map(others: &Others) -> bool {
    match others {
        Others::Unmentioned | Others::Any => true,
        Others::Of(place) => is_any(place),
    }
}

fn is_any(place: &Place) -> bool {
    matches!(place.shape, Shape::Any | Shape::Union { .. }) && place.rust_type.is_none()
}

fn path(path: &str) -> TokenStream {
    // These are paths of the table of runtime types.
    path.parse().unwrap_or_default()
}
