//! The items of an emitted file, as passes look for them and put others in their place.

use proc_macro2::TokenStream;

/// The structs of a file.
pub(super) fn structs(file: &mut syn::File) -> impl Iterator<Item = &mut syn::ItemStruct> {
    file.items.iter_mut().filter_map(|item| match item {
        syn::Item::Struct(item) => Some(item),
        _ => None,
    })
}

/// Emits types in the place of the empty `enum`s that stand for them.
pub(super) fn replace(
    file: &mut syn::File,
    mut emit: impl FnMut(&str) -> Option<TokenStream>,
) -> syn::Result<()> {
    let mut items = Vec::with_capacity(file.items.len());
    for item in std::mem::take(&mut file.items) {
        let emitted = match &item {
            syn::Item::Enum(place) if place.variants.is_empty() => emit(&place.ident.to_string()),
            _ => None,
        };
        match emitted {
            Some(emitted) => items.extend(syn::parse2::<syn::File>(emitted)?.items),
            None => items.push(item),
        }
    }
    file.items = items;
    Ok(())
}

/// The argument of `Vec<…>`, `Option<…>` and the like.
pub(super) fn argument_of<'t>(ty: &'t syn::Type, container: &str) -> Option<&'t syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident != container {
        return None;
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}
