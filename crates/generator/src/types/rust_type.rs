//! The Rust type of a place, wherever it is: a field, an argument, a body, an element of a list, a map, a tuple or a union.

use openapi_model::{Integer, Others, Place, RuntimeType, Scalar, Shape, Usage, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::runtime::{chosen, instead};

/// The location of a type in the emitted code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeLocation {
    /// Among the types, in one with this usage. In what only a service sends, lists and maps are read without the elements that are null.
    Types(Usage),
    /// With the operations.
    Operations,
}

impl TypeLocation {
    /// Returns the direction in which values are sent. Operations read their types as responses do.
    fn usage(self) -> Usage {
        match self {
            Self::Types(usage) => usage,
            Self::Operations => Usage {
                request: true,
                response: true,
            },
        }
    }
}

/// The type of the values of a place, whether or not they may be null themselves.
pub(crate) fn rust_type(place: &Place, location: TypeLocation) -> TokenStream {
    if let Some(runtime) = instead(place) {
        return of_runtime(runtime);
    }
    if let Some(runtime) = chosen(place) {
        let plain = Place {
            rust_type: None,
            ..place.clone()
        };
        let inner = rust_type(plain.items().unwrap_or(&plain), location);
        let around = of_runtime(runtime);
        return quote!(#around<#inner>);
    }
    match &place.shape {
        Shape::Reference(name) => named(name, location),
        Shape::Texts { .. } => scalar(Scalar::Text),
        Shape::Scalar {
            kind: Scalar::Integer,
            ..
        } => integer(Integer::of(place, location.usage())),
        Shape::Scalar { kind, .. } => scalar(*kind),
        Shape::List(items) => list(&element(items, location)),
        Shape::Map(Others::Of(others)) if !is_any(others) => {
            let other = element(others, location);
            quote!(::std::collections::BTreeMap<::std::string::String, #other>)
        }
        Shape::Map(_) | Shape::Object(_) => {
            quote!(::serde_json::Map<::std::string::String, ::serde_json::Value>)
        }
        Shape::Any | Shape::Tuple(_) | Shape::Union { .. } => quote!(::serde_json::Value),
    }
}

/// The type of whole numbers.
pub(crate) fn integer(integer: Integer) -> TokenStream {
    let name = names::ident(integer.name());
    quote!(#name)
}

/// The type of a string, a number or a boolean.
pub(crate) fn scalar(kind: Scalar) -> TokenStream {
    match kind {
        Scalar::Text => quote!(::std::string::String),
        Scalar::Integer => integer(Integer::I64),
        Scalar::Number => quote!(f64),
        Scalar::Boolean => quote!(bool),
    }
}

/// The type of a list of these elements.
pub(crate) fn list(item: &TokenStream) -> TokenStream {
    quote!(::std::vec::Vec<#item>)
}

/// The type of a schema with this name.
pub(crate) fn named(name: &str, location: TypeLocation) -> TokenStream {
    let name = names::ident(name);
    match location {
        TypeLocation::Types(_) => quote!(#name),
        TypeLocation::Operations => quote!(types::#name),
    }
}

/// A type of the runtime.
pub(crate) fn of_runtime(runtime: &RuntimeType) -> TokenStream {
    // These are paths of the table of runtime types.
    runtime.path.parse().unwrap_or_default()
}

/// An element of a list or a map.
pub(crate) fn element(place: &Place, location: TypeLocation) -> TokenStream {
    let inner = rust_type(place, location);
    if is_optional_element(place) {
        quote!(::std::option::Option<#inner>)
    } else {
        inner
    }
}

/// Returns whether the elements of a list or a map are in options.
fn is_optional_element(place: &Place) -> bool {
    // Any JSON has null.
    place.nullable && !is_any(place)
}

/// Returns whether the type of a list or a map has null among its elements.
pub(in crate::types) fn has_null_elements(place: &Place) -> bool {
    match &place.shape {
        Shape::List(items) => is_optional_element(items),
        Shape::Map(Others::Of(others)) => is_optional_element(others),
        _ => false,
    }
}

/// Returns whether the members of a map are any JSON.
pub(super) fn is_json_map(others: &Others) -> bool {
    match others {
        Others::Unmentioned => true,
        Others::Of(place) => is_any(place),
    }
}

fn is_any(place: &Place) -> bool {
    matches!(place.shape, Shape::Any | Shape::Union { .. }) && place.rust_type.is_none()
}
