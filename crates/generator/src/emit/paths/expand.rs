//! Writes long paths again, so that the same code is equal in every file.

use std::collections::HashMap;

use openapi_model::names as identifiers;

use super::choice::names;
use super::cut::{in_prelude, is_crate};
use super::scope::{Declared, shares_scope};
use super::walk::{Names, Walk};

/// Removes the private imports from other crates, and writes their names with the whole path. The prelude is written without a path.
pub fn expand(items: &mut Vec<syn::Item>) {
    for item in items.iter_mut() {
        if let syn::Item::Mod(inner) = item
            && !shares_scope(inner)
            && let Some((_, inner)) = &mut inner.content
        {
            expand(inner);
        }
    }
    let mut writer = Writer::default();
    items.retain_mut(|item| match item {
        syn::Item::Use(item) => {
            let is_private = matches!(item.vis, syn::Visibility::Inherited);
            !(is_private && imported(&item.tree, &mut Vec::new(), &mut writer.imported))
        }
        _ => true,
    });
    writer.declared = Walk::over(items, Reader::default()).0;
    Walk::over(items, writer);
}

/// Adds the names of an import from another crate; returns whether it is one.
fn imported(
    tree: &syn::UseTree,
    before: &mut Vec<String>,
    all: &mut HashMap<String, Vec<String>>,
) -> bool {
    match tree {
        syn::UseTree::Path(path) => {
            let name = path.ident.to_string();
            if before.is_empty() && !is_crate(&name) {
                return false;
            }
            before.push(name);
            let is_imported = imported(&path.tree, before, all);
            before.pop();
            is_imported
        }
        syn::UseTree::Group(group) => {
            let mut trees = group.items.iter();
            !before.is_empty() && trees.all(|tree| imported(tree, before, all))
        }
        syn::UseTree::Name(name) if !before.is_empty() => {
            let name = name.ident.to_string();
            let path = before.iter().chain([&name]).cloned().collect();
            all.insert(name, path);
            true
        }
        _ => false,
    }
}

#[derive(Default)]
struct Reader(Declared);

impl Names for Reader {
    fn path(&mut self, _: &mut syn::Path, _: Option<&mut usize>) -> bool {
        false
    }

    fn declares(&mut self, name: &syn::Ident, is_value: bool) {
        self.0.add(name, is_value);
    }
}

#[derive(Default)]
struct Writer {
    declared: Declared,
    imported: HashMap<String, Vec<String>>,
}

impl Names for Writer {
    fn reads_all(&self) -> bool {
        true
    }

    fn path(&mut self, path: &mut syn::Path, position: Option<&mut usize>) -> bool {
        if path.leading_colon.is_some() {
            return without_prelude(path, position, |one| self.declared.hides(one));
        }
        let Some(first) = path.segments.first().map(|first| first.ident.to_string()) else {
            return false;
        };
        if let Some(long) = self.imported.get(&first) {
            let Some((_, before)) = long.split_last() else {
                return false;
            };
            let before = before.iter().map(|name| identifiers::ident(name).into());
            let segments = std::mem::take(&mut path.segments);
            path.segments = before.chain(segments).collect();
            path.leading_colon = Some(Default::default());
            if let Some(position) = position {
                *position += long.len() - 1;
            }
            return true;
        }
        let names_crate = path.segments.len() > 1 && is_crate(&first);
        if names_crate && !self.declared.has(&first) {
            path.leading_colon = Some(Default::default());
            without_prelude(path, position, |one| self.declared.hides(one));
            return true;
        }
        false
    }

    /// A function of the prelude is the same, whatever the file calls so.
    fn path_in_text(&mut self, path: &mut syn::Path) -> bool {
        let is_changed = self.path(path, None);
        without_prelude(path, None, |_| false) || is_changed
    }
}

fn without_prelude(
    path: &mut syn::Path,
    position: Option<&mut usize>,
    is_hidden: impl Fn(&[&str]) -> bool,
) -> bool {
    let Some(start) = in_prelude(&names(path), is_hidden) else {
        return false;
    };
    path.leading_colon = None;
    let segments = std::mem::take(&mut path.segments);
    path.segments = segments.into_iter().skip(start).collect();
    if let Some(position) = position {
        *position = position.saturating_sub(start);
    }
    true
}
