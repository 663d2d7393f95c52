//! The client, without the methods of groups, and the methods of each group.

use std::collections::{BTreeMap, HashMap};

use openapi_model::Model;
use openapi_model::names;

use super::mentions::has_path;

/// The files of the client. A group has one for its methods.
pub(super) struct Client {
    pub(super) root: syn::File,
    pub(super) groups: BTreeMap<usize, syn::File>,
}

/// Takes the methods of groups out of the client.
pub(super) fn split(client: &syn::File, model: &Model) -> Client {
    let group_of: HashMap<&str, usize> = model
        .operations
        .iter()
        .filter_map(|operation| Some((operation.rust_name.as_str(), model.group_index(operation)?)))
        .collect();
    let mut methods: BTreeMap<usize, Vec<syn::ImplItem>> = BTreeMap::new();
    let (mut imports, mut items) = (Vec::new(), Vec::new());
    for item in client.items.iter().cloned() {
        match item {
            syn::Item::Use(item) => imports.push(item),
            syn::Item::Impl(mut item) if item.trait_.is_none() && is_client(&item.self_ty) => {
                let mut kept = Vec::new();
                for inner in std::mem::take(&mut item.items) {
                    let group = match &inner {
                        syn::ImplItem::Fn(inner) => {
                            group_of.get(inner.sig.ident.to_string().as_str())
                        }
                        _ => None,
                    };
                    match group {
                        Some(group) => methods.entry(*group).or_default().push(inner),
                        None => kept.push(inner),
                    }
                }
                item.items = kept;
                items.push(syn::Item::Impl(item));
            }
            other => items.push(other),
        }
    }
    let needed = |items: &[syn::Item]| -> Vec<syn::Item> {
        let imports = imports.iter().filter(|import| {
            imported(&import.tree).is_none_or(|module| has_path(items, &module.to_string()))
        });
        imports.cloned().map(syn::Item::Use).collect()
    };
    let modules = model
        .groups
        .iter()
        .enumerate()
        .filter_map(|(index, group)| {
            let (name, feature) = (names::ident(&group.name), &group.feature);
            methods
                .contains_key(&index)
                .then(|| -> syn::Item { syn::parse_quote!(#[cfg(feature = #feature)] mod #name;) })
        });
    let root = needed(&items)
        .into_iter()
        .chain(modules)
        .chain(items.clone());
    let root = file(root.collect());
    let groups = methods.into_iter().map(|(group, methods)| {
        let methods: syn::Item = syn::parse_quote!(impl Client { #(#methods)* });
        let mut items = needed(std::slice::from_ref(&methods));
        items.insert(
            0,
            syn::parse_quote!(
                use super::Client;
            ),
        );
        items.push(methods);
        (group, file(items))
    });
    Client {
        root,
        groups: groups.collect(),
    }
}

fn file(items: Vec<syn::Item>) -> syn::File {
    syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items,
    }
}

fn is_client(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("Client"))
}

/// The last name of an import.
fn imported(tree: &syn::UseTree) -> Option<&syn::Ident> {
    match tree {
        syn::UseTree::Path(path) => imported(&path.tree),
        syn::UseTree::Name(name) => Some(&name.ident),
        _ => None,
    }
}
