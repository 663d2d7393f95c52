//! What nothing reaches: files, and the names that declarations and imports of other files lose.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned;
use syn::{Item, UseTree};

use super::edits::Edits;
use super::mentions::Names;
use super::units::{SourceFile, Unit};

/// What goes.
pub(super) struct Dead {
    pub(super) files: BTreeSet<usize>,
    /// The folders of the modules in these files.
    folders: BTreeSet<String>,
    /// The names of items that nothing mentions, and of modules without an item.
    names: Names,
}

impl Dead {
    pub(super) fn new(
        files: &[SourceFile],
        parsed: &[syn::File],
        units: &[Unit],
        named: &Names,
    ) -> Self {
        let dead = units.iter().filter(|unit| !unit.is_alive);
        let names = dead.flat_map(|unit| &unit.names).cloned();
        let mut all = Self {
            files: BTreeSet::new(),
            folders: BTreeSet::new(),
            names: names.filter(|name| !named.contains(name)).collect(),
        };
        let folders: BTreeMap<&str, usize> = files
            .iter()
            .enumerate()
            .map(|(index, file)| (file.folder.as_str(), index))
            .collect();
        // A file goes after those of its modules.
        for (folder, index) in folders.into_iter().rev() {
            let has_item = units
                .iter()
                .any(|unit| unit.file == index && unit.is_alive && !unit.part.is_empty());
            let items = parsed.get(index).map(|file| file.items.as_slice());
            let has_module = items.unwrap_or_default().iter().any(|item| match item {
                Item::Mod(module) => {
                    module.content.is_some() || !all.is_dead(folder, &module.ident.to_string())
                }
                _ => false,
            });
            if !has_item && !has_module {
                all.files.insert(index);
                all.folders.insert(folder.to_owned());
            }
        }
        for folder in &all.folders {
            let name = folder.rsplit('/').next().unwrap_or_default();
            if !all.names.contains(name) && !has_module(files, &all.folders, name) {
                all.names.insert(name.to_owned());
            }
        }
        all
    }

    fn is_dead(&self, folder: &str, module: &str) -> bool {
        let module = module.trim_start_matches("r#");
        self.folders.contains(&format!("{folder}/{module}"))
    }

    /// Removes declarations of modules and imports of items that are gone.
    pub(super) fn remove_declarations(&self, items: &[Item], folder: &str, edits: &mut Edits) {
        for item in items {
            match item {
                Item::Mod(module) => match &module.content {
                    Some((_, items)) => self.remove_declarations(items, folder, edits),
                    None if self.is_dead(folder, &module.ident.to_string()) => {
                        edits.remove(item.span().byte_range());
                    }
                    None => {}
                },
                Item::Use(import) if is_own(&import.tree, items) => {
                    match self.remaining(&import.tree) {
                        None => edits.remove(item.span().byte_range()),
                        Some(rest) if format_import(&rest) != format_import(&import.tree) => {
                            edits.replace(import.tree.span().byte_range(), format_import(&rest));
                        }
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns what is left of an import.
    fn remaining(&self, tree: &UseTree) -> Option<UseTree> {
        match tree {
            UseTree::Path(path) => {
                let rest = self.remaining(&path.tree)?;
                let mut path = path.clone();
                *path.tree = rest;
                Some(UseTree::Path(path))
            }
            UseTree::Name(name) => {
                (!self.names.contains(&name.ident.to_string())).then(|| tree.clone())
            }
            UseTree::Rename(rename) => {
                (!self.names.contains(&rename.rename.to_string())).then(|| tree.clone())
            }
            UseTree::Glob(_) => Some(tree.clone()),
            UseTree::Group(group) => {
                let mut group = group.clone();
                group.items = group
                    .items
                    .iter()
                    .filter_map(|tree| self.remaining(tree))
                    .collect();
                match group.items.len() {
                    0 => None,
                    1 => group.items.into_iter().next(),
                    _ => Some(UseTree::Group(group)),
                }
            }
        }
    }
}

/// Returns whether a module that stays has a name.
fn has_module(files: &[SourceFile], dead: &BTreeSet<String>, name: &str) -> bool {
    let mut folders = files.iter().map(|file| &file.folder);
    folders.any(|folder| folder.rsplit('/').next() == Some(name) && !dead.contains(folder))
}

/// Returns whether an import is of this crate: its path begins with a keyword, or with a module that is declared beside it.
fn is_own(tree: &UseTree, items: &[Item]) -> bool {
    let path = match tree {
        UseTree::Path(path) => path,
        UseTree::Group(group) => return group.items.iter().all(|tree| is_own(tree, items)),
        UseTree::Name(_) | UseTree::Rename(_) => return true,
        UseTree::Glob(_) => return false,
    };
    ["crate", "self", "super"]
        .iter()
        .any(|word| path.ident == word)
        || items
            .iter()
            .any(|item| matches!(item, Item::Mod(module) if module.ident == path.ident))
}

/// Writes an import as rustfmt does where it is short.
fn format_import(tree: &UseTree) -> String {
    match tree {
        UseTree::Path(path) => format!("{}::{}", path.ident, format_import(&path.tree)),
        UseTree::Name(name) => name.ident.to_string(),
        UseTree::Rename(rename) => format!("{} as {}", rename.ident, rename.rename),
        UseTree::Glob(_) => "*".to_owned(),
        UseTree::Group(group) => {
            let all: Vec<String> = group.items.iter().map(format_import).collect();
            format!("{{{}}}", all.join(", "))
        }
    }
}
