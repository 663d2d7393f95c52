//! The types of a body that is one argument: the one that a caller gives, and the one that a builder keeps.

use openapi_model::{Body, BodyKind};
use proc_macro2::TokenStream;
use quote::quote;

use super::paths;

/// The type in which a builder keeps a body that is one argument.
pub(super) fn kept(body: &Body) -> TokenStream {
    match body.kind {
        BodyKind::Json | BodyKind::Form => paths::place(&body.schema),
        BodyKind::Multipart => quote!(::generated_client::request::Multipart),
        BodyKind::Text => quote!(String),
        BodyKind::Bytes => quote!(::generated_client::request::Payload),
        BodyKind::Any => quote!(::generated_client::request::Body),
    }
}

/// The type in which a caller gives it.
pub(super) fn taken(body: &Body) -> TokenStream {
    let kept = kept(body);
    if is_converted(body) {
        quote!(impl Into<#kept>)
    } else {
        kept
    }
}

/// Returns whether a caller may give any value that converts into the body.
pub(super) fn is_converted(body: &Body) -> bool {
    matches!(
        body.kind,
        BodyKind::Text | BodyKind::Bytes | BodyKind::Multipart
    )
}
