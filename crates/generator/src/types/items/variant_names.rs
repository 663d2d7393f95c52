//! The names of a union's variants.

use std::collections::HashSet;

use openapi_model::{Scalar, Schema, Shape, names};

/// The variant that keeps what fits no alternative.
pub(super) const CATCH_ALL: &str = "Unrecognized";

/// Returns the name of a variant with a type: that of a schema of the document, where people look for it; else its tag, or its type without
/// the name of the union at its beginning.
pub(super) fn called(union: &Schema, schema: &Schema, tags: &[String]) -> String {
    let is_named = schema.is_component();
    match (tags, schema.name.strip_prefix(&union.name)) {
        ([tag], _) if !is_named => names::pascal(tag),
        (_, Some(rest)) if !is_named && rest.starts_with(char::is_uppercase) => rest.to_owned(),
        _ => schema.name.clone(),
    }
}

/// The name and the line of a variant whose values have no name.
pub(super) fn unnamed(shape: &Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Texts { .. } => ("Text", "A string."),
        Shape::Scalar { kind, .. } => match kind {
            Scalar::Text => ("Text", "A string."),
            Scalar::Integer => ("Integer", "A whole number."),
            Scalar::Number => ("Number", "A number."),
            Scalar::Boolean => ("Boolean", "A truth value."),
        },
        Shape::List(_) | Shape::Tuple(_) => ("List", "A list."),
        Shape::Map(_) | Shape::Object(_) => ("Map", "A map."),
        Shape::Any | Shape::Union { .. } | Shape::Reference(_) => ("Other", "A map."),
    }
}

/// A name that no other variant has.
pub(super) fn unique(wanted: &str, taken: &mut HashSet<String>) -> syn::Ident {
    names::ident(&names::unique(wanted, |name| taken.insert(name.to_owned())))
}
