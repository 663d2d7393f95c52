//! The names that an item adds to the scope around it.

use std::collections::HashSet;

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
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Union(item) => Some(&item.ident),
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

/// The names that a scope declares.
#[derive(Default)]
pub(super) struct Declared {
    all: HashSet<String>,
    values: HashSet<String>,
}

impl Declared {
    pub(super) fn add(&mut self, name: &syn::Ident, is_value: bool) {
        let name = name.to_string();
        if is_value {
            self.values.insert(name.clone());
        }
        self.all.insert(name);
    }

    /// Returns whether a name is declared, in any namespace.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all.contains(name)
    }

    /// Returns whether the last name of a prelude path means something else in this scope.
    pub(super) fn hides(&self, path: &[&str]) -> bool {
        let is_variant = path.len() > 3;
        let names = if is_variant { &self.values } else { &self.all };
        path.last().is_none_or(|name| names.contains(*name))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.all.iter()
    }
}

/// Returns whether a module has all names of the module around it, and mentions all of its names.
pub(super) fn shares_scope(module: &syn::ItemMod) -> bool {
    let items = module.content.iter().flat_map(|(_, items)| items);
    items.clone().any(|item| is_glob(item, true))
}

/// Returns whether a file has names that it does not mention.
pub(super) fn has_unknown_names(items: &[syn::Item]) -> bool {
    items.iter().any(|item| match item {
        syn::Item::Mod(inner) if shares_scope(inner) => {
            let inner = inner.content.iter().flat_map(|(_, items)| items);
            inner.into_iter().any(|item| is_glob(item, false))
        }
        item => is_glob(item, false) || is_glob(item, true),
    })
}

/// Returns whether an item is `use super::*`, or any other import of everything.
fn is_glob(item: &syn::Item, of_super: bool) -> bool {
    let syn::Item::Use(item) = item else {
        return false;
    };
    let is_super = matches!(&item.tree, syn::UseTree::Path(path)
        if path.ident == "super" && matches!(*path.tree, syn::UseTree::Glob(_)));
    is_super == of_super && ends_in_glob(&item.tree)
}

fn ends_in_glob(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Path(path) => ends_in_glob(&path.tree),
        syn::UseTree::Group(group) => group.items.iter().any(ends_in_glob),
        syn::UseTree::Glob(_) => true,
        _ => false,
    }
}
