//! Rust in a normal form: paths from the crate's root, spaces as people write them.

use std::collections::{BTreeSet, HashMap};

use openapi_model::names;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

use crate::emit::in_prelude;

/// Writes paths of one module from the crate's root.
pub(super) struct FromRoot {
    /// The module's path.
    pub(super) module: String,
    /// The types and modules that it declares.
    pub(super) own: BTreeSet<String>,
    /// The names that it imports from other crates, each with its path.
    pub(super) imported: HashMap<String, Vec<syn::Ident>>,
}

/// Lists the names that items import from other crates, each with its path.
pub(super) fn imported(items: &[syn::Item]) -> HashMap<String, Vec<syn::Ident>> {
    let mut all = HashMap::new();
    for item in items {
        if let syn::Item::Use(item) = item {
            import(&item.tree, &mut Vec::new(), &mut all);
        }
    }
    all
}

fn import(
    tree: &syn::UseTree,
    before: &mut Vec<syn::Ident>,
    all: &mut HashMap<String, Vec<syn::Ident>>,
) {
    match tree {
        syn::UseTree::Path(path) if before.is_empty() && path.ident == "crate" => {}
        syn::UseTree::Path(path) => {
            before.push(path.ident.clone());
            import(&path.tree, before, all);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                import(tree, before, all);
            }
        }
        syn::UseTree::Name(name) => {
            let path = before.iter().chain([&name.ident]).cloned().collect();
            all.insert(name.ident.to_string(), path);
        }
        _ => {}
    }
}

impl FromRoot {
    pub(super) fn text<T: ToTokens + Clone>(
        &mut self,
        part: &T,
        visit: fn(&mut Self, &mut T),
    ) -> String {
        let mut part = part.clone();
        visit(self, &mut part);
        compact(&part)
    }

    pub(super) fn ty(&mut self, ty: &syn::Type) -> String {
        self.text(ty, Self::visit_type_mut)
    }
}

impl VisitMut for FromRoot {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let first = path.segments.first().map(|first| first.ident.to_string());
        if path.leading_colon.is_none()
            && let Some(long) = first.and_then(|first| self.imported.get(&first))
            && let Some((_, before)) = long.split_last()
        {
            let segments = std::mem::take(&mut path.segments);
            let before = before.iter().cloned().map(syn::PathSegment::from);
            path.segments = before.chain(segments).collect();
        }
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        path.leading_colon = None;
        let in_prelude = in_prelude(&names, |_| false);
        let skipped = match names.first() {
            // The emitted code writes the long form where a document has a type of the same name.
            _ if in_prelude.is_some() => in_prelude.unwrap_or_default(),
            Some(first) if first == "crate" => 1,
            Some(first) if self.own.contains(first) && !self.module.is_empty() => {
                for module in self.module.rsplit("::") {
                    let module = names::ident(module);
                    path.segments.insert(0, syn::PathSegment::from(module));
                }
                0
            }
            _ => 0,
        };
        path.segments = std::mem::take(&mut path.segments)
            .into_iter()
            .skip(skipped)
            .collect();
    }
}

/// Tokens with the spaces that people write.
pub(super) fn compact(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, written) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" :", ":"),
        (" (", "("),
        (" ;", ";"),
        ("# [", "#["),
        (" !", "!"),
    ] {
        text = text.replace(spaced, written);
    }
    text.replace("->(", "-> (")
}
