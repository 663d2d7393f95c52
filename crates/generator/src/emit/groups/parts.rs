//! The items of one emitted module, each with its name and what it mentions.

use std::collections::{BTreeSet, HashMap, HashSet};

use syn::visit::Visit;

use super::membership::{Edges, Membership, memberships};
use super::mentions::Mentions;
use crate::types::subject;

/// The inner module of the types that contains their wire structs.
pub(super) const WIRE: &str = "wire";

/// One item.
pub(super) struct Part {
    pub(super) item: syn::Item,
    /// True if it belongs to the inner module.
    pub(super) is_wire: bool,
    /// The name that it declares, or that it belongs to; `None` for an item of no type.
    pub(super) owner: Option<String>,
    /// The names that it mentions.
    pub(super) mentions: BTreeSet<String>,
    /// True if it joins two types of which neither needs the other.
    pub(super) is_link: bool,
}

/// The items of a module.
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// The declared names; a name of the inner module has its path.
    pub(super) names: HashSet<String>,
    /// The attributes of the inner module, without its items.
    pub(super) wire: Option<syn::ItemMod>,
    /// The imports from other crates, for each file.
    pub(super) uses: Vec<syn::Item>,
}

impl Parts {
    /// Takes a file apart. `links` are the conversions between independent types: from the first, to the second.
    pub(super) fn new(file: &syn::File, links: &HashSet<(&str, &str)>) -> Self {
        let (mut wire, mut uses) = (None, Vec::new());
        let mut items: Vec<(&syn::Item, bool)> = Vec::new();
        for item in &file.items {
            match item {
                syn::Item::Mod(module) if module.ident == WIRE => {
                    let content = module.content.iter().flat_map(|(_, items)| items);
                    items.extend(content.map(|item| (item, true)));
                    wire = Some(syn::ItemMod {
                        content: None,
                        ..module.clone()
                    });
                }
                syn::Item::Use(item) => uses.push(syn::Item::Use(syn::ItemUse {
                    vis: syn::Visibility::Inherited,
                    ..item.clone()
                })),
                item => items.push((item, false)),
            }
        }
        let names: HashSet<String> = items
            .iter()
            .filter_map(|(item, is_wire)| Some(qualified(declared(item)?, *is_wire)))
            .collect();
        let parts = items
            .into_iter()
            .filter(|(item, is_wire)| !(*is_wire && matches!(item, syn::Item::Use(_))))
            .map(|(item, is_wire)| part(item, is_wire, &names, links))
            .collect();
        Self {
            parts,
            names,
            wire,
            uses,
        }
    }

    /// Where each name belongs, when operations mention these.
    pub(super) fn memberships(
        &self,
        roots: &[(String, Membership)],
    ) -> HashMap<String, Membership> {
        let mut edges: Edges = self
            .names
            .iter()
            .map(|name| (name.clone(), BTreeSet::new()))
            .collect();
        for part in self.parts.iter().filter(|part| !part.is_link) {
            if let Some(edges) = part.owner.as_ref().and_then(|owner| edges.get_mut(owner)) {
                edges.extend(part.mentions.iter().cloned());
            }
        }
        let roots = roots
            .iter()
            .map(|(name, membership)| (name.as_str(), *membership));
        memberships(&edges, roots)
            .into_iter()
            .map(|(name, membership)| (name.to_owned(), membership))
            .collect()
    }
}

fn qualified(name: String, is_wire: bool) -> String {
    if is_wire {
        format!("{WIRE}::{name}")
    } else {
        name
    }
}

fn part(
    item: &syn::Item,
    is_wire: bool,
    names: &HashSet<String>,
    links: &HashSet<(&str, &str)>,
) -> Part {
    let mentions = |visit: &dyn Fn(&mut Mentions<'_>)| {
        let mut mentions = Mentions::own(names, is_wire.then_some(WIRE));
        visit(&mut mentions);
        mentions.found()
    };
    let all = mentions(&|mentions| mentions.visit_item(item));
    let mut is_link = false;
    let owner = match (declared(item), item) {
        (Some(name), _) => Some(qualified(name, is_wire)),
        (None, syn::Item::Impl(item)) => {
            let of = mentions(&|mentions| mentions.visit_type(&item.self_ty)).pop_first();
            let from = item
                .trait_
                .as_ref()
                .and_then(|(path, _)| mentions(&|mentions| mentions.visit_path(path)).pop_first());
            if let (Some(of), Some(from)) = (&of, &from) {
                is_link = links.contains(&(from.as_str(), of.as_str()));
            }
            // The implementation that reads a type belongs to its wire struct; a conversion into a foreign type, to our type.
            let wire = all.iter().find(|name| is_wire && name.starts_with(WIRE));
            wire.cloned().or(of).or(from)
        }
        (None, syn::Item::Macro(item)) => subject(&item.mac)
            .map(|name| name.to_string())
            .filter(|name| names.contains(name)),
        (None, _) => None,
    };
    Part {
        item: item.clone(),
        is_wire,
        owner,
        mentions: all,
        is_link,
    }
}

/// The name that an item declares.
fn declared(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Const(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Mod(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
