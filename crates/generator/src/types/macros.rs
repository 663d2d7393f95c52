//! The macros of the runtime that implement the common parts of emitted types.

use proc_macro2::TokenTree;

/// Returns the type that a macro is about, which it names first.
pub(crate) fn subject(call: &syn::Macro) -> Option<syn::Ident> {
    match call.tokens.clone().into_iter().next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}
