//! The items of an emitted file, as passes look for them and take them out.

use quote::quote;

/// The structs of a file.
pub(super) fn structs(file: &mut syn::File) -> impl Iterator<Item = &mut syn::ItemStruct> {
    file.items.iter_mut().filter_map(|item| match item {
        syn::Item::Struct(item) => Some(item),
        _ => None,
    })
}

/// Takes a type and everything implemented for it out of a file; tells where the type stood.
pub(super) fn take_type(file: &mut syn::File, name: &str) -> Option<usize> {
    let place = file.items.iter().position(|item| match item {
        syn::Item::Struct(item) => item.ident == name,
        syn::Item::Enum(item) => item.ident == name,
        _ => false,
    })?;
    file.items.remove(place);
    let stays = |item: &syn::Item| !matches!(item, syn::Item::Impl(item) if mentions(item, name));
    // What converts into another type may stand in front of the type itself.
    let place = file
        .items
        .iter()
        .take(place)
        .filter(|item| stays(item))
        .count();
    file.items.retain(stays);
    Some(place)
}

/// Whether an impl is for the type, or a conversion out of it.
fn mentions(item: &syn::ItemImpl, name: &str) -> bool {
    let is_name = |ty: &syn::Type| matches!(ty, syn::Type::Path(path) if path.path.is_ident(name));
    let converts_from = item.trait_.as_ref().is_some_and(|(path, _)| {
        path.segments
            .last()
            .is_some_and(|last| match &last.arguments {
                syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(
                    |argument| matches!(argument, syn::GenericArgument::Type(ty) if is_name(ty)),
                ),
                _ => false,
            })
    });
    is_name(&item.self_ty) || converts_from
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

/// `FromStr` of a type that any text makes a value of, where a composition around it is read by way of that.
pub(super) fn read_from_text(
    file: &syn::File,
    name: &syn::Ident,
) -> Option<proc_macro2::TokenStream> {
    let use_of_it = format!("< {name} as :: std :: str :: FromStr >");
    let mut items = file.items.iter();
    items
        .any(|item| quote!(#item).to_string().contains(&use_of_it))
        .then(|| {
            quote! {
                impl ::std::str::FromStr for #name {
                    type Err = ::std::convert::Infallible;

                    fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                        Ok(Self::from(text))
                    }
                }
            }
        })
}
