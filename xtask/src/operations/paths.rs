//! The paths by which emitted code names a builder and the type of its response.

use proc_macro2::TokenStream;
use quote::quote;

use crate::names;
use crate::openapi::{Operation, reference};

/// The type of a builder, for links in documentation.
pub(super) fn builder_path(operation: &Operation) -> String {
    format!("crate::operations::{}", operation.type_name)
}

/// The type of a success response.
pub(super) fn output(operation: &Operation) -> TokenStream {
    match operation.success.as_ref() {
        None => quote!(()),
        Some(schema) => match reference(schema) {
            Some(name) => {
                let name = names::ident(name);
                quote!(types::#name)
            }
            None => quote!(::serde_json::Value),
        },
    }
}
