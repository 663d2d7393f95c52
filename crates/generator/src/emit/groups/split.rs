//! A module as one file for each group and one for what is shared.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use openapi_model::Group;
use openapi_model::names;
use quote::quote;

use super::membership::Membership;
use super::parts::{Part, Parts};

/// The file of what is shared.
pub(super) const SHARED: &str = "shared";

/// A file of a module that is split.
pub(super) struct File {
    pub(super) membership: Membership,
    pub(super) file: syn::File,
    /// True if it declares names that other files use.
    pub(super) declares: bool,
}

/// An item with the groups that it needs beside that of its file.
struct Placed {
    part: Part,
    others: BTreeSet<usize>,
}

/// Puts each item into the file of its membership.
pub(super) fn split(
    parts: Parts,
    memberships: &HashMap<String, Membership>,
    groups: &[Group],
) -> Vec<File> {
    let membership = |name: &String| memberships.get(name).copied().unwrap_or(Membership::Shared);
    let mut files: BTreeMap<Membership, Vec<Placed>> = BTreeMap::new();
    // Types whose private field a conversion in another file reads or sets.
    let mut opened = HashSet::new();
    for part in parts.parts {
        let (file, others) = place(&part, membership);
        if part.is_link {
            let elsewhere = part.mentions.iter().filter(|name| membership(name) != file);
            opened.extend(elsewhere.cloned());
        }
        files.entry(file).or_default().push(Placed { part, others });
    }
    let files = files.into_iter().map(|(file, placed)| {
        let mut items = imports(file, &placed, groups, membership);
        items.extend(parts.uses.iter().cloned());
        let mut declares = false;
        let mut wire_items: Vec<syn::Item> = Vec::new();
        for Placed { part, others } in placed {
            let mut item = part.item;
            if part
                .owner
                .as_ref()
                .is_some_and(|owner| opened.contains(owner))
            {
                open(&mut item);
            }
            if !others.is_empty()
                && let syn::Item::Impl(item) = &mut item
            {
                let features = features(&others, groups);
                item.attrs.insert(0, syn::parse_quote!(#[cfg(#features)]));
            }
            if part.is_wire {
                wire_items.push(item);
            } else {
                declares |= is_public(&item);
                items.push(item);
            }
        }
        if let (Some(wire), false) = (&parts.wire, wire_items.is_empty()) {
            wire_items.insert(
                0,
                syn::parse_quote!(
                    use super::*;
                ),
            );
            items.push(syn::Item::Mod(syn::ItemMod {
                content: Some((syn::token::Brace::default(), wire_items)),
                semi: None,
                ..wire.clone()
            }));
        }
        File {
            membership: file,
            file: syn::File {
                shebang: None,
                frontmatter: None,
                attrs: Vec::new(),
                items,
            },
            declares,
        }
    });
    files.collect()
}

/// The file of an item: that of its type, and for one that joins a shared type with one of a group, that of the group.
fn place(part: &Part, membership: impl Fn(&String) -> Membership) -> (Membership, BTreeSet<usize>) {
    let mentioned = part
        .mentions
        .iter()
        .filter_map(|name| match membership(name) {
            Membership::Group(group) => Some(group),
            Membership::Shared => None,
        });
    let mut groups: BTreeSet<usize> = mentioned.collect();
    let own = part.owner.as_ref().map_or(Membership::Shared, &membership);
    let file = match own {
        Membership::Group(group) => {
            groups.remove(&group);
            own
        }
        Membership::Shared => groups.pop_first().map_or(own, Membership::Group),
    };
    (file, groups)
}

/// Returns the imports of a file: each type that it names and does not declare.
fn imports(
    file: Membership,
    placed: &[Placed],
    groups: &[Group],
    membership: impl Fn(&String) -> Membership,
) -> Vec<syn::Item> {
    // By the other file and the groups that have to be there; what an item needs without a condition is taken without one.
    let mut always: BTreeMap<Membership, BTreeSet<&String>> = BTreeMap::new();
    let mut sometimes: BTreeMap<(Membership, &BTreeSet<usize>), BTreeSet<&String>> =
        BTreeMap::new();
    for Placed { part, others } in placed {
        for name in &part.mentions {
            let from = membership(name);
            if from == file {
                continue;
            }
            if others.is_empty() {
                always.entry(from).or_default().insert(name)
            } else {
                sometimes.entry((from, others)).or_default().insert(name)
            };
        }
    }
    let mut seen: HashSet<&String> = always.values().flatten().copied().collect();
    let mut items: Vec<syn::Item> = always
        .into_iter()
        .filter_map(|(from, names)| import(from, names, groups))
        .collect();
    for ((from, others), mut names) in sometimes {
        names.retain(|name| seen.insert(name));
        let features = features(others, groups);
        if !names.is_empty()
            && let Some(syn::Item::Use(mut item)) = import(from, names, groups)
        {
            item.attrs.push(syn::parse_quote!(#[cfg(#features)]));
            items.push(syn::Item::Use(item));
        }
    }
    items
}

fn import(from: Membership, names: BTreeSet<&String>, groups: &[Group]) -> Option<syn::Item> {
    let module = names::ident(file_name(from, groups)?);
    let names: Vec<_> = names.into_iter().map(|name| names::ident(name)).collect();
    Some(match names.as_slice() {
        [name] => syn::parse_quote!(use super::#module::#name;),
        names => syn::parse_quote!(use super::#module::{#(#names),*};),
    })
}

/// The name of a file, without its folder.
pub(super) fn file_name(membership: Membership, groups: &[Group]) -> Option<&str> {
    match membership {
        Membership::Shared => Some(SHARED),
        Membership::Group(group) => groups.get(group).map(|group| group.name.as_str()),
    }
}

/// A condition that all of these groups are there.
fn features(of: &BTreeSet<usize>, groups: &[Group]) -> proc_macro2::TokenStream {
    let features = of.iter().filter_map(|group| groups.get(*group));
    let features: Vec<_> = features
        .map(|group| {
            let feature = &group.feature;
            quote!(feature = #feature)
        })
        .collect();
    match features.as_slice() {
        [one] => one.clone(),
        several => quote!(all(#(#several),*)),
    }
}

/// Lets the other files reach the field of a tuple.
fn open(item: &mut syn::Item) {
    if let syn::Item::Struct(syn::ItemStruct {
        fields: syn::Fields::Unnamed(fields),
        ..
    }) = item
    {
        for field in &mut fields.unnamed {
            if matches!(field.vis, syn::Visibility::Inherited) {
                field.vis = syn::parse_quote!(pub(super));
            }
        }
    }
}

/// Returns whether an item is declared for the rest of the crate.
fn is_public(item: &syn::Item) -> bool {
    let visibility = match item {
        syn::Item::Struct(item) => &item.vis,
        syn::Item::Enum(item) => &item.vis,
        syn::Item::Type(item) => &item.vis,
        syn::Item::Static(item) => &item.vis,
        syn::Item::Mod(item) => &item.vis,
        syn::Item::Const(item) => &item.vis,
        syn::Item::Fn(item) => &item.vis,
        _ => return false,
    };
    !matches!(visibility, syn::Visibility::Inherited)
}
