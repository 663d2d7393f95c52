//! The name that an item adds to the scope around it.

/// The name that an item declares beside it.
pub(super) fn declared(item: &syn::Item) -> Option<&syn::Ident> {
    match item {
        syn::Item::Const(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Macro(item) => item.ident.as_ref(),
        syn::Item::Mod(item) => Some(&item.ident),
        syn::Item::Static(item) => Some(&item.ident),
        syn::Item::Struct(item) => Some(&item.ident),
        _ => None,
    }
}

/// Returns whether an item can be hidden by another one, or hide it, in the namespace of values.
pub(super) fn is_value(item: &syn::Item) -> bool {
    match item {
        syn::Item::Struct(item) => !matches!(item.fields, syn::Fields::Named(_)),
        syn::Item::Const(_) | syn::Item::Fn(_) | syn::Item::Static(_) => true,
        _ => false,
    }
}
