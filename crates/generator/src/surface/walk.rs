//! The items of an emitted file: whatever is public in it, and as behaviour whatever is not.

use std::collections::{BTreeMap, BTreeSet};

use quote::{ToTokens, quote};

use super::item::{Item, Kind};
use super::macros;
use super::paths::{FromRoot, compact};
use crate::types::subject;

/// The label of code that belongs to a type as a whole.
pub(super) const CODE: &str = "code";

/// Returns the items of a file in `module`; the root's path is empty.
pub(super) fn items(module: &str, items: &[syn::Item]) -> Vec<Item> {
    let mut walk = Walk {
        public: BTreeSet::new(),
        owner: items.iter().find_map(public),
        modules: BTreeSet::new(),
        paths: FromRoot {
            module: module.to_owned(),
            own: BTreeSet::new(),
        },
        module: module.to_owned(),
        items: Vec::new(),
        code: BTreeMap::new(),
    };
    for item in items {
        walk.declaration(item);
    }
    for (index, item) in items.iter().enumerate() {
        if let syn::Item::Static(_) = item {
            // The facts of an operation stand before its builder.
            walk.owner = items.iter().skip(index).find_map(public).or(walk.owner);
        }
        walk.item(item);
    }
    let code = walk.code.into_iter().map(|((owner, label), lines)| {
        Item::new(Kind::Behaviour, &owner, &label, lines.join("\n"))
    });
    walk.items.into_iter().chain(code).collect()
}

/// Returns the name of a type that an item declares, and its visibility.
fn declared(item: &syn::Item) -> Option<(String, &syn::Visibility)> {
    match item {
        syn::Item::Struct(item) => Some((item.ident.to_string(), &item.vis)),
        syn::Item::Enum(item) => Some((item.ident.to_string(), &item.vis)),
        _ => None,
    }
}

/// Returns the name of a public type that an item declares.
fn public(item: &syn::Item) -> Option<String> {
    let (name, visibility) = declared(item)?;
    is_public(visibility).then_some(name)
}

/// A file of which some items were walked.
pub(super) struct Walk {
    pub(super) module: String,
    /// The public types of the file.
    public: BTreeSet<String>,
    /// The one that private items belong to if their name says no other.
    owner: Option<String>,
    modules: BTreeSet<String>,
    pub(super) paths: FromRoot,
    pub(super) items: Vec<Item>,
    /// Lines of code by what they belong to and a label.
    code: BTreeMap<(String, String), Vec<String>>,
}

impl Walk {
    /// Notes the name of a type or a module.
    fn declaration(&mut self, item: &syn::Item) {
        if let syn::Item::Mod(item) = item {
            let name = item.ident.to_string();
            self.modules.insert(name.clone());
            self.paths.own.insert(name);
        } else if let Some((name, visibility)) = declared(item) {
            if is_public(visibility) {
                self.public.insert(name.clone());
            }
            self.paths.own.insert(name);
        }
    }

    fn item(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Struct(item) if is_public(&item.vis) => self.structure(item),
            syn::Item::Enum(item) if is_public(&item.vis) => self.enumeration(item),
            syn::Item::Fn(item) if is_public(&item.vis) => {
                let owner = self.module.clone();
                self.function(&owner, &item.attrs, &item.sig, &item.block);
            }
            syn::Item::Const(item) if is_public(&item.vis) => {
                let owner = self.module.clone();
                self.constant(&owner, &item.ident, &item.attrs, &item.ty, &item.expr);
            }
            syn::Item::Use(item) => {
                if is_public(&item.vis) {
                    let first = self.items.len();
                    self.reexports(&item.tree, "");
                    // Only callers with the feature have its items.
                    let cfg: Vec<String> = item
                        .attrs
                        .iter()
                        .filter(|attribute| attribute.path().is_ident("cfg"))
                        .map(compact)
                        .collect();
                    for item in self.items.iter_mut().skip(first) {
                        let of = std::mem::take(&mut item.shape);
                        item.shape = [cfg.clone(), vec![of]].concat().join(" ");
                        item.signature.clone_from(&item.shape);
                    }
                }
            }
            syn::Item::Impl(item) => self.implementation(item),
            syn::Item::Macro(item) => {
                if !macros::is_shown(&item.mac) {
                    self.private(&syn::Item::Macro(item.clone()));
                }
                for item in macros::implementations(&item.mac) {
                    self.implementation(&item);
                }
            }
            syn::Item::Mod(item) if is_public(&item.vis) => {
                let path = self.path(&item.ident.to_string());
                let content = item.content.iter();
                let inner = content.flat_map(|(_, inner)| items(&path, inner));
                self.items.extend(inner);
            }
            syn::Item::Static(item) => {
                let owner = self.nearest("");
                let syn::Expr::Struct(value) = &*item.expr else {
                    return self.facts(&owner, &item.expr);
                };
                for field in &value.fields {
                    let label = field.member.to_token_stream().to_string();
                    // Each operation has its id itself.
                    if label == "operations" {
                        continue;
                    }
                    let text = compact(&field.expr);
                    self.keep(&owner, &label, text);
                }
            }
            other => self.private(other),
        }
    }

    /// Keeps the facts of an operation, each by the method that declares it.
    fn facts(&mut self, owner: &str, value: &syn::Expr) {
        match value {
            syn::Expr::MethodCall(call) => {
                self.facts(owner, &call.receiver);
                let (types, arguments) = (&call.turbofish, &call.args);
                let text = compact(&quote!(#types #arguments));
                self.keep(owner, &call.method.to_string(), text);
            }
            syn::Expr::Call(call) => {
                let constructor = compact(&call.func);
                let method = constructor.rsplit("::").next().unwrap_or_default();
                self.keep(owner, "method", method.to_owned());
                for (label, value) in ["id", "path"].iter().zip(&call.args) {
                    self.keep(owner, label, compact(value));
                }
            }
            other => self.keep(owner, CODE, compact(other)),
        }
    }

    /// Keeps a private item that reads or makes one of the types.
    fn private(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Use(_) => {}
            syn::Item::Macro(item) if macros::is_table(&item.mac) => {
                let subject = subject(&item.mac).map(|name| name.to_string());
                let owner = self.nearest(subject.as_deref().unwrap_or_default());
                for (label, row) in macros::rows(&item.mac) {
                    self.keep(&owner, &label, row);
                }
            }
            syn::Item::Macro(item) => {
                let subject = subject(&item.mac).map(|name| name.to_string());
                let owner = self.nearest(subject.as_deref().unwrap_or_default());
                self.keep(&owner, CODE, compact(item));
            }
            other => {
                let owner = self.nearest("");
                self.keep(&owner, CODE, compact(other));
            }
        }
    }

    pub(super) fn path(&self, name: &str) -> String {
        if self.module.is_empty() {
            name.to_owned()
        } else {
            format!("{}::{name}", self.module)
        }
    }

    /// Returns whether a path names a type of this file.
    pub(super) fn is_own(&self, path: &str) -> bool {
        path.strip_prefix(&self.module)
            .is_some_and(|name| self.paths.own.contains(name.trim_start_matches("::")))
    }

    /// Returns the public type of a private item: the longest type name that its name begins with, else the
    /// one that its place says.
    pub(super) fn nearest(&self, name: &str) -> String {
        let mut starts = (1..=name.len()).rev().filter_map(|end| name.get(..end));
        starts
            .find(|start| self.public.contains(*start))
            .or(self.owner.as_deref())
            .map_or_else(|| self.module.clone(), |own| self.path(own))
    }

    pub(super) fn keep(&mut self, owner: &str, label: &str, line: String) {
        let lines = self
            .code
            .entry((owner.to_owned(), label.to_owned()))
            .or_default();
        lines.push(line);
    }

    fn reexports(&mut self, tree: &syn::UseTree, before: &str) {
        match tree {
            // The items of the file's own modules are walked themselves.
            syn::UseTree::Path(path)
                if before.is_empty() && self.modules.contains(&path.ident.to_string()) => {}
            syn::UseTree::Path(path) => self.reexports(&path.tree, &joined(before, &path.ident)),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.reexports(tree, before);
                }
            }
            syn::UseTree::Name(name) => self.reexport(&name.ident, joined(before, &name.ident)),
            syn::UseTree::Rename(rename) => {
                self.reexport(&rename.rename, joined(before, &rename.ident));
            }
            _ => {}
        }
    }

    fn reexport(&mut self, name: &syn::Ident, of: String) {
        let name = name.to_string();
        self.items
            .push(Item::new(Kind::Reexport, &self.module, &name, of));
    }
}

fn joined(before: &str, name: &syn::Ident) -> String {
    if before.is_empty() {
        name.to_string()
    } else {
        format!("{before}::{name}")
    }
}

pub(super) fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}
