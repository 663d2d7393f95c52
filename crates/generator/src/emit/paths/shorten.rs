//! Writes `use` lines and short paths.

use openapi_model::names as identifiers;
use quote::quote;

use super::walk::Walk;

/// Shortens the paths of a file, and adds the imports in front of its items. A module inside it gets its own imports.
pub(crate) fn shorten(items: &mut Vec<syn::Item>) {
    for item in items.iter_mut() {
        if let syn::Item::Mod(inner) = item
            && let Some((_, inner)) = &mut inner.content
        {
            shorten(inner);
        }
    }
    let mut walk = Walk::default();
    walk.over(items);
    walk.scope.choose();
    walk.over(items);
    let imports: Vec<syn::Item> = walk
        .scope
        .imports()
        .into_iter()
        .map(|(module, names)| {
            // The path would be ambiguous beside a module of that name, such as `core`.
            let is_hidden = module.first().is_some_and(|name| walk.scope.hides(name));
            import(module, &names, is_hidden)
        })
        .collect();
    items.splice(0..0, imports);
}

fn import(module: &[String], names: &[&String], is_hidden: bool) -> syn::Item {
    let colons = is_hidden.then(|| quote!(::));
    let module = module.iter().map(|step| identifiers::ident(step));
    let names = names.iter().map(|name| identifiers::ident(name));
    syn::parse_quote!(use #colons #(#module)::*::{#(#names),*};)
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::*;

    #[test]
    fn an_import_from_a_crate_is_no_module_of_that_name() {
        let code = quote! {
            mod core;
            fn wait(time: ::core::time::Duration, then: ::std::fmt::Arguments<'_>) {}
        };
        let mut file: syn::File = syn::parse2(code).unwrap();
        shorten(&mut file.items);
        let expected = quote! {
            use ::core::time::{Duration};
            use std::{fmt};
            mod core;
            fn wait(time: Duration, then: fmt::Arguments<'_>) {}
        };
        assert_eq!(file.to_token_stream().to_string(), expected.to_string());
    }
}
