//! The macros of the runtime, of which emitted code calls one for what each type of a kind has.

use proc_macro2::TokenTree;

/// Returns the type that a macro is about, which it names first.
pub(crate) fn subject(call: &syn::Macro) -> Option<syn::Ident> {
    match call.tokens.clone().into_iter().next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}
