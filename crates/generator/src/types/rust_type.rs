//! The Rust type of a place.

use openapi_model::names;
use openapi_model::reference;
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::runtime::instead;

/// The type of the values of a place, whether or not they may be null.
pub(super) fn rust_type(place: &Value) -> TokenStream {
    if let Some(runtime) = instead(place)
        && let Ok(path) = syn::parse_str::<syn::Path>(runtime.path)
    {
        return quote!(#path);
    }
    if let Some(name) = reference(place) {
        let name = names::ident(name);
        return quote!(#name);
    }
    let format = place.get("format").and_then(Value::as_str);
    match place.get("type").and_then(Value::as_str) {
        Some("string") => quote!(::std::string::String),
        Some("integer") if format == Some("uint64") => quote!(u64),
        Some("integer") => quote!(i64),
        Some("number") => quote!(f64),
        Some("boolean") => quote!(bool),
        Some("array") => {
            let item = rust_type(place.get("items").unwrap_or(&Value::Null));
            quote!(::std::vec::Vec<#item>)
        }
        Some("object") => match place.get("additionalProperties") {
            Some(others @ Value::Object(_)) => {
                let other = rust_type(others);
                quote!(::std::collections::BTreeMap<::std::string::String, #other>)
            }
            _ => quote!(::serde_json::Map<::std::string::String, ::serde_json::Value>),
        },
        _ => quote!(::serde_json::Value),
    }
}
