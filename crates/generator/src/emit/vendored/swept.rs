//! The runtime without the items that an emitted crate cannot reach. An item stays if anything that stays mentions its name, wherever it is
//! defined: two items of one name stay or go together, and what goes is missed by nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use openapi_document::finding::DocumentError;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{ImplItem, Item, UseTree, Visibility};

use super::edits::Edits;
use super::manifest::defect;
use super::mentions::{self, Names};

/// A file of the runtime, while its crate is written.
pub(super) struct SourceFile {
    /// Its path among the sources.
    pub(super) path: String,
    /// The folder of the modules that it declares.
    pub(super) folder: String,
    pub(super) text: String,
    /// How much of it callers may name.
    pub(super) reach: Reach,
}

/// What callers may name in a file beside the names of the emitted code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All that is public.
    Items,
    /// The public methods of the types that the emitted code reaches.
    Methods,
    /// Nothing: emitted code alone calls it.
    Nothing,
}

/// An item, or a method of one.
struct Unit {
    file: usize,
    part: Range<usize>,
    /// The names by which it is reached; none for an implementation and a call of a macro, which are there if all types that they name are.
    names: Vec<String>,
    /// The types that it needs.
    needs: Names,
    mentions: Names,
    /// The implementation that it is a method of.
    parent: Option<usize>,
    is_root: bool,
    is_alive: bool,
}

/// Removes the items that nothing mentions, beginning with the names of the emitted code. Files without an item go.
pub(super) fn sweep(
    files: Vec<SourceFile>,
    mut named: Names,
) -> Result<Vec<SourceFile>, DocumentError> {
    let parsed = files.iter().map(|file| {
        let parsed = syn::parse_file(&file.text);
        parsed.map_err(|error| defect(format!("`{}` is no source file: {error}", file.path)))
    });
    let parsed: Vec<syn::File> = parsed.collect::<Result<_, _>>()?;
    let mut units = Vec::new();
    for (index, (file, parsed)) in files.iter().zip(&parsed).enumerate() {
        collect(&parsed.items, index, file.reach, &mut units);
    }
    let types = defined_types(&parsed);
    for unit in &mut units {
        unit.needs.retain(|name| types.contains(name));
    }
    mark(&mut units, &mut named);

    let dead = Dead::new(&files, &parsed, &units, &named);
    let mut kept = Vec::new();
    for (index, (file, parsed)) in files.iter().zip(&parsed).enumerate() {
        if dead.files.contains(&index) {
            continue;
        }
        let mut edits = Edits::new(&file.text);
        for unit in units
            .iter()
            .filter(|unit| unit.file == index && !unit.is_alive)
        {
            edits.remove(unit.part.clone());
        }
        dead.declarations(&parsed.items, &file.folder, &mut edits);
        kept.push(SourceFile {
            path: file.path.clone(),
            folder: file.folder.clone(),
            text: edits.apply(),
            reach: file.reach,
        });
    }
    Ok(kept)
}

/// Marks what is reached, until nothing more is.
fn mark(units: &mut [Unit], named: &mut Names) {
    loop {
        let alive: Vec<bool> = units.iter().map(|unit| unit.is_alive).collect();
        let mut is_changed = false;
        for unit in units.iter_mut().filter(|unit| !unit.is_alive) {
            let has_parent = unit
                .parent
                .is_none_or(|parent| alive.get(parent) == Some(&true));
            let is_named =
                unit.names.is_empty() || unit.names.iter().any(|name| named.contains(name));
            if has_parent && (unit.is_root || is_named && unit.needs.is_subset(named)) {
                unit.is_alive = true;
                is_changed = true;
                named.append(&mut unit.mentions);
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// Lists the items of a file, and the methods of its types.
fn collect(items: &[Item], file: usize, reach: Reach, units: &mut Vec<Unit>) {
    for item in items {
        let mut unit = Unit {
            file,
            part: item.span().byte_range(),
            names: Vec::new(),
            needs: BTreeSet::new(),
            mentions: BTreeSet::new(),
            parent: None,
            is_root: false,
            is_alive: false,
        };
        match item {
            Item::Use(item) => {
                renamed(&item.tree, &mut unit);
                if !unit.names.is_empty() {
                    // It is removed with its declaration, name by name.
                    unit.part = 0..0;
                    units.push(unit);
                }
                continue;
            }
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    collect(items, file, reach, units);
                }
                continue;
            }
            Item::Impl(item) => {
                implementation(item, reach, unit, units);
                continue;
            }
            Item::Macro(item) => match &item.ident {
                Some(name) => unit.names.push(name.to_string()),
                None => mentions::add(item.to_token_stream(), &mut unit.needs),
            },
            Item::Enum(item) => {
                unit.names.push(item.ident.to_string());
                unit.is_root = reach == Reach::Items && is_visible(&Item::Enum(item.clone()));
                variants(item, &mut unit.mentions);
                units.push(unit);
                continue;
            }
            other => {
                unit.names.extend(name(other));
                unit.is_root = reach == Reach::Items && is_visible(other);
            }
        }
        mentions::add(item.to_token_stream(), &mut unit.mentions);
        units.push(unit);
    }
}

/// Adds what an enumeration mentions, apart from the names of its variants.
fn variants(item: &syn::ItemEnum, mentioned: &mut Names) {
    let mut head = item.clone();
    head.variants.clear();
    mentions::add(head.to_token_stream(), mentioned);
    for variant in &item.variants {
        mentions::add(variant.fields.to_token_stream(), mentioned);
        for attribute in &variant.attrs {
            mentions::add(attribute.to_token_stream(), mentioned);
        }
    }
}

/// Lists an implementation, and the methods that only the runtime calls.
fn implementation(item: &syn::ItemImpl, reach: Reach, mut unit: Unit, units: &mut Vec<Unit>) {
    let mut head = item.clone();
    head.items.clear();
    mentions::add(head.to_token_stream(), &mut unit.needs);
    unit.mentions.clone_from(&unit.needs);
    let (file, parent) = (unit.file, units.len());
    let mut methods = Vec::new();
    for method in &item.items {
        match method {
            ImplItem::Fn(method)
                if item.trait_.is_none()
                    && (reach == Reach::Nothing
                        || !matches!(method.vis, Visibility::Public(_))) =>
            {
                let mut mentioned = BTreeSet::new();
                mentions::add(method.to_token_stream(), &mut mentioned);
                methods.push(Unit {
                    file,
                    part: method.span().byte_range(),
                    names: vec![format!(".{}", method.sig.ident)],
                    needs: BTreeSet::new(),
                    mentions: mentioned,
                    parent: Some(parent),
                    is_root: false,
                    is_alive: false,
                });
            }
            other => mentions::add(other.to_token_stream(), &mut unit.mentions),
        }
    }
    units.push(unit);
    units.append(&mut methods);
}

/// Returns the name of an item that is reached by one.
fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string()).filter(|name| name != "_")
}

fn is_visible(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        _ => return true,
    };
    matches!(visibility, Visibility::Public(_))
}

/// Makes other names of an import a unit: who mentions them mentions the items.
fn renamed(tree: &UseTree, unit: &mut Unit) {
    match tree {
        UseTree::Path(path) => renamed(&path.tree, unit),
        UseTree::Group(group) => {
            for tree in &group.items {
                renamed(tree, unit);
            }
        }
        UseTree::Rename(rename) => {
            unit.names.push(rename.rename.to_string());
            unit.mentions.insert(rename.ident.to_string());
        }
        UseTree::Name(_) | UseTree::Glob(_) => {}
    }
}

/// The types and traits that files define.
fn defined_types(files: &[syn::File]) -> Names {
    let mut all = BTreeSet::new();
    let mut pending: Vec<&Item> = files.iter().flat_map(|file| &file.items).collect();
    while let Some(item) = pending.pop() {
        match item {
            Item::Mod(module) => pending.extend(module.content.iter().flat_map(|(_, items)| items)),
            Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_) => {
                all.extend(name(item));
            }
            _ => {}
        }
    }
    all
}

/// What goes.
struct Dead {
    files: BTreeSet<usize>,
    /// The folders of the modules in these files.
    folders: BTreeSet<String>,
    /// The names of items that nothing mentions, and of modules without an item.
    names: Names,
}

impl Dead {
    fn new(files: &[SourceFile], parsed: &[syn::File], units: &[Unit], named: &Names) -> Self {
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
    fn declarations(&self, items: &[Item], folder: &str, edits: &mut Edits) {
        for item in items {
            match item {
                Item::Mod(module) => match &module.content {
                    Some((_, items)) => self.declarations(items, folder, edits),
                    None if self.is_dead(folder, &module.ident.to_string()) => {
                        edits.remove(item.span().byte_range());
                    }
                    None => {}
                },
                Item::Use(import) if is_own(&import.tree, items) => match self.rest(&import.tree) {
                    None => edits.remove(item.span().byte_range()),
                    Some(rest) if written(&rest) != written(&import.tree) => {
                        edits.replace(import.tree.span().byte_range(), written(&rest));
                    }
                    Some(_) => {}
                },
                _ => {}
            }
        }
    }

    /// Returns what is left of an import.
    fn rest(&self, tree: &UseTree) -> Option<UseTree> {
        match tree {
            UseTree::Path(path) => {
                let rest = self.rest(&path.tree)?;
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
                    .filter_map(|tree| self.rest(tree))
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
fn written(tree: &UseTree) -> String {
    match tree {
        UseTree::Path(path) => format!("{}::{}", path.ident, written(&path.tree)),
        UseTree::Name(name) => name.ident.to_string(),
        UseTree::Rename(rename) => format!("{} as {}", rename.ident, rename.rename),
        UseTree::Glob(_) => "*".to_owned(),
        UseTree::Group(group) => {
            let all: Vec<String> = group.items.iter().map(written).collect();
            format!("{{{}}}", all.join(", "))
        }
    }
}
