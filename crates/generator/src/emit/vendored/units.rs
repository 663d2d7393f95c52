//! The parts of the runtime's files that stay or go: items, and methods.

use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{ImplItem, Item, UseTree, Visibility};

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
pub(super) struct Unit {
    pub(super) file: usize,
    pub(super) part: Range<usize>,
    /// The names by which it is reached; none for an implementation and a call of a macro, which are there if all types that they name are.
    pub(super) names: Vec<String>,
    /// The types that it needs.
    pub(super) needs: Names,
    pub(super) mentions: Names,
    /// The implementation that it is a method of.
    pub(super) parent: Option<usize>,
    pub(super) is_root: bool,
    pub(super) is_alive: bool,
}

/// Lists the items of a file, and the methods of its types.
pub(super) fn collect(items: &[Item], file: usize, reach: Reach, units: &mut Vec<Unit>) {
    for item in items {
        let mut unit = Unit {
            file,
            part: item.span().byte_range(),
            names: Vec::new(),
            needs: Names::new(),
            mentions: Names::new(),
            parent: None,
            is_root: false,
            is_alive: false,
        };
        match item {
            Item::Use(item) => {
                collect_renames(&item.tree, &mut unit);
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
                collect_implementation(item, reach, unit, units);
                continue;
            }
            Item::Macro(item) => match &item.ident {
                Some(name) => unit.names.push(name.to_string()),
                None => mentions::add(item.to_token_stream(), &mut unit.needs),
            },
            other => {
                let head = head(other);
                unit.names.extend(head.map(|(name, _)| name.to_string()));
                let is_visible = head.is_none_or(|(_, vis)| is_public(vis));
                unit.is_root = reach == Reach::Items && is_visible;
            }
        }
        if let Item::Enum(item) = item {
            add_variants(item, &mut unit.mentions);
        } else {
            mentions::add(item.to_token_stream(), &mut unit.mentions);
        }
        units.push(unit);
    }
}

/// Adds what an enumeration mentions, apart from the names of its variants.
fn add_variants(item: &syn::ItemEnum, mentioned: &mut Names) {
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
fn collect_implementation(
    item: &syn::ItemImpl,
    reach: Reach,
    mut unit: Unit,
    units: &mut Vec<Unit>,
) {
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
                    && (reach == Reach::Nothing || !is_public(&method.vis)) =>
            {
                let mut mentioned = Names::new();
                mentions::add(method.to_token_stream(), &mut mentioned);
                methods.push(Unit {
                    file,
                    part: method.span().byte_range(),
                    names: vec![format!(".{}", method.sig.ident)],
                    needs: Names::new(),
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

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the name of an item that is reached by one, and its visibility.
fn head(item: &Item) -> Option<(&syn::Ident, &Visibility)> {
    let head = match item {
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        _ => return None,
    };
    Some(head).filter(|(name, _)| *name != "_")
}

/// Makes other names of an import a unit: who mentions them mentions the items.
fn collect_renames(tree: &UseTree, unit: &mut Unit) {
    match tree {
        UseTree::Path(path) => collect_renames(&path.tree, unit),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect_renames(tree, unit);
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
pub(super) fn defined_types(files: &[syn::File]) -> Names {
    let mut all = Names::new();
    let mut pending: Vec<&Item> = files.iter().flat_map(|file| &file.items).collect();
    while let Some(item) = pending.pop() {
        match item {
            Item::Mod(module) => pending.extend(module.content.iter().flat_map(|(_, items)| items)),
            Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_) => {
                all.extend(head(item).map(|(name, _)| name.to_string()));
            }
            _ => {}
        }
    }
    all
}
