//! The items of an emitted file: whatever is public in it, and as behaviour whatever is not.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::visit_mut::VisitMut;

use super::item::{Argument, Item, Kind};
use super::paths::{FromRoot, compact};

/// The label of code that belongs to a type as a whole.
pub(super) const CODE: &str = "code";

/// The items of a file that stands in `module`; the root's path is empty.
pub(super) fn file(module: &str, file: &syn::File) -> Vec<Item> {
    items(module, &file.items)
}

fn items(module: &str, items: &[syn::Item]) -> Vec<Item> {
    let declared = |item: &syn::Item| match item {
        syn::Item::Struct(item) => Some((item.ident.to_string(), is_public(&item.vis))),
        syn::Item::Enum(item) => Some((item.ident.to_string(), is_public(&item.vis))),
        syn::Item::Type(item) => Some((item.ident.to_string(), is_public(&item.vis))),
        _ => None,
    };
    let mut walk = Walk {
        own: items.iter().filter_map(declared).collect(),
        modules: items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Mod(item) => Some(item.ident.to_string()),
                _ => None,
            })
            .collect(),
        paths: FromRoot {
            module: module.to_owned(),
            own: items
                .iter()
                .filter_map(declared)
                .map(|(name, _)| name)
                .collect(),
        },
        module: module.to_owned(),
        items: Vec::new(),
        code: BTreeMap::new(),
    };
    for item in items {
        walk.item(item);
    }
    let code = walk.code.into_iter().map(|((owner, label), lines)| {
        Item::new(Kind::Behaviour, &owner, &label, lines.join("\n"))
    });
    walk.items.into_iter().chain(code).collect()
}

struct Walk {
    module: String,
    /// The types of the file, in its order, and whether each is public.
    own: Vec<(String, bool)>,
    modules: BTreeSet<String>,
    paths: FromRoot,
    items: Vec<Item>,
    /// Lines of code by what they belong to and a label.
    code: BTreeMap<(String, String), Vec<String>>,
}

impl Walk {
    fn item(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Struct(item) if is_public(&item.vis) => self.structure(item),
            syn::Item::Enum(item) if is_public(&item.vis) => self.enumeration(item),
            syn::Item::Type(item) if is_public(&item.vis) => {
                let ty = self.paths.ty(&item.ty);
                self.declare(&item.ident, &item.attrs, format!("type = {ty}"), true);
            }
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
                    self.reexports(&item.tree, "");
                }
            }
            syn::Item::Impl(item) => self.implementation(item),
            syn::Item::Mod(item) => {
                for inner in item.content.iter().flat_map(|(_, items)| items) {
                    self.private(inner);
                }
            }
            syn::Item::Static(item) => {
                let owner = self.nearest("");
                let syn::Expr::Struct(value) = &*item.expr else {
                    return self.keep(&owner, CODE, compact(item));
                };
                for field in &value.fields {
                    let label = field.member.to_token_stream().to_string();
                    let text = compact(&field.expr);
                    self.keep(&owner, &label, text);
                }
            }
            other => self.private(other),
        }
    }

    /// What one of the types is read or made by.
    fn private(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Use(_) => {}
            syn::Item::Struct(item) => {
                let owner = self.nearest(&item.ident.to_string());
                for field in &item.fields {
                    let label = field.ident.as_ref().map(ToString::to_string);
                    let label = label.as_deref().unwrap_or(CODE);
                    // What the type has too says there how it is read.
                    let is_its_own = |one: &Item| {
                        one.kind == Kind::Field && one.owner == owner && one.name == label
                    };
                    if !self.items.iter().any(is_its_own) {
                        self.keep(&owner, label, compact(field));
                    }
                }
            }
            syn::Item::Impl(item) => {
                let owner = self.nearest(&compact(&item.self_ty));
                self.keep(&owner, CODE, compact(item));
            }
            other => {
                let owner = self.nearest("");
                self.keep(&owner, CODE, compact(other));
            }
        }
    }

    fn path(&self, name: &str) -> String {
        if self.module.is_empty() {
            name.to_owned()
        } else {
            format!("{}::{name}", self.module)
        }
    }

    fn is_own(&self, path: &str) -> bool {
        self.own.iter().any(|(own, _)| self.path(own) == path)
    }

    /// The public type that something private belongs to, by the longest name that its name begins with; else the
    /// first of the file.
    fn nearest(&self, name: &str) -> String {
        let public = || self.own.iter().filter(|(_, public)| *public);
        public()
            .filter(|(own, _)| name.starts_with(own.as_str()))
            .max_by_key(|(own, _)| own.len())
            .or_else(|| public().next())
            .map_or_else(|| self.module.clone(), |(own, _)| self.path(own))
    }

    fn keep(&mut self, owner: &str, label: &str, line: String) {
        let lines = self
            .code
            .entry((owner.to_owned(), label.to_owned()))
            .or_default();
        lines.push(line);
    }

    fn declare(
        &mut self,
        name: &syn::Ident,
        attributes: &[syn::Attribute],
        shape: String,
        whole: bool,
    ) -> String {
        let name = name.to_string();
        let attributes_told = told(attributes);
        let open_ended = is_marked(attributes, "non_exhaustive");
        let mut signature = attributes_told.clone();
        signature.extend(open_ended.then(|| "#[non_exhaustive]".to_owned()));
        signature.push(shape.clone());
        self.items.push(Item {
            docs: docs(attributes),
            attributes: attributes_told,
            shape,
            whole: whole && !open_ended,
            ..Item::new(Kind::Type, &self.module, &name, signature.join(" "))
        });
        let path = self.path(&name);
        self.attributes(&path, CODE, attributes);
        self.derives(&path, attributes);
        path
    }

    /// What attributes say that only the code behind a derive reads.
    fn attributes(&mut self, owner: &str, label: &str, attributes: &[syn::Attribute]) {
        for attribute in attributes {
            if attribute.path().is_ident("serde") {
                self.keep(owner, label, compact(attribute));
            }
        }
    }

    fn derives(&mut self, owner: &str, attributes: &[syn::Attribute]) {
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"))
        {
            // What does not parse as a list of paths does not compile either.
            let _ = attribute.parse_nested_meta(|meta| {
                let name = self.paths.text(&meta.path, FromRoot::visit_path_mut);
                let signature = format!("impl {name}");
                self.items
                    .push(Item::new(Kind::Trait, owner, &name, signature));
                Ok(())
            });
        }
    }

    fn structure(&mut self, item: &syn::ItemStruct) {
        let generics = compact(&item.generics);
        let shape = match &item.fields {
            syn::Fields::Named(_) => "struct {}",
            syn::Fields::Unnamed(_) => "struct ()",
            syn::Fields::Unit => "struct",
        };
        let whole = item.fields.iter().all(|field| is_public(&field.vis));
        let path = self.declare(
            &item.ident,
            &item.attrs,
            format!("{shape}{generics}"),
            whole,
        );
        for (index, field) in item.fields.iter().enumerate() {
            let name = field
                .ident
                .as_ref()
                .map_or_else(|| index.to_string(), ToString::to_string);
            if is_public(&field.vis) {
                let ty = self.paths.ty(&field.ty);
                self.items.push(Item {
                    docs: docs(&field.attrs),
                    ..Item::new(Kind::Field, &path, &name, ty)
                });
            }
            self.attributes(&path, &name, &field.attrs);
        }
    }

    fn enumeration(&mut self, item: &syn::ItemEnum) {
        let generics = compact(&item.generics);
        let path = self.declare(&item.ident, &item.attrs, format!("enum{generics}"), true);
        for variant in &item.variants {
            let name = variant.ident.to_string();
            let holds = self.paths.text(&variant.fields, FromRoot::visit_fields_mut);
            self.items.push(Item {
                docs: docs(&variant.attrs),
                ..Item::new(Kind::Variant, &path, &name, holds)
            });
            self.attributes(&path, CODE, &variant.attrs);
        }
    }

    fn constant(
        &mut self,
        owner: &str,
        name: &syn::Ident,
        attributes: &[syn::Attribute],
        ty: &syn::Type,
        value: &syn::Expr,
    ) {
        let ty = self.paths.ty(ty);
        self.items.push(Item {
            docs: docs(attributes),
            attributes: told(attributes),
            ..Item::new(Kind::Constant, owner, &name.to_string(), ty)
        });
        self.keep(owner, CODE, compact(value));
    }

    fn function(
        &mut self,
        owner: &str,
        attributes: &[syn::Attribute],
        signature: &syn::Signature,
        body: &syn::Block,
    ) {
        let mut signature = signature.clone();
        self.paths.visit_signature_mut(&mut signature);
        let mut bare = signature.clone();
        bare.inputs.clear();
        let mut arguments = Vec::new();
        for input in &mut signature.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => {
                    // `mut self` is the function's own affair.
                    receiver.mutability = None;
                    bare.inputs.push(syn::FnArg::Receiver(receiver.clone()));
                }
                syn::FnArg::Typed(input) => arguments.push(Argument {
                    name: compact(&input.pat),
                    ty: compact(&input.ty),
                    pointer: String::new(),
                }),
            }
        }
        let name = signature.ident.to_string();
        let told = told(attributes);
        let text = compact(&signature);
        self.items.push(Item {
            docs: docs(attributes),
            arguments,
            shape: compact(&bare),
            attributes: told.clone(),
            ..Item::new(
                Kind::Function,
                owner,
                &name,
                [told, vec![text]].concat().join(" "),
            )
        });
        self.keep(owner, &name, compact(body));
    }

    fn implementation(&mut self, item: &syn::ItemImpl) {
        let owner = self.paths.ty(&item.self_ty);
        let Some((of, _)) = &item.trait_ else {
            for inner in &item.items {
                self.member(&owner, inner);
            }
            return;
        };
        let name = self
            .paths
            .text(of, FromRoot::visit_path_mut)
            // Of a manual implementation, where a derived one shows no lifetime.
            .replace("<'de>", "");
        let mut shape = format!("impl {name}");
        // A conversion into a type of somebody else belongs to ours.
        let ours = if self.is_own(&owner) {
            owner.clone()
        } else {
            let mentioned = name.rsplit("::").next().unwrap_or_default();
            self.nearest(mentioned)
        };
        for inner in &item.items {
            match inner {
                syn::ImplItem::Type(inner) => {
                    let ty = self.paths.ty(&inner.ty);
                    shape.push_str(&format!(" with {} = {ty}", inner.ident));
                }
                other => self.keep(&ours, CODE, compact(other)),
            }
        }
        self.items
            .push(Item::new(Kind::Trait, &owner, &name, shape));
    }

    fn member(&mut self, owner: &str, inner: &syn::ImplItem) {
        match inner {
            syn::ImplItem::Fn(inner) if is_public(&inner.vis) => {
                self.function(owner, &inner.attrs, &inner.sig, &inner.block);
            }
            syn::ImplItem::Const(inner) if is_public(&inner.vis) => {
                self.constant(owner, &inner.ident, &inner.attrs, &inner.ty, &inner.expr);
            }
            // Statement by statement, so that each is told of the argument that it is about.
            syn::ImplItem::Fn(inner) => {
                for statement in &inner.block.stmts {
                    let text = compact(statement);
                    let label = about(&text).unwrap_or(CODE).to_owned();
                    self.keep(owner, &label, text);
                }
            }
            other => self.keep(owner, CODE, compact(other)),
        }
    }

    fn reexports(&mut self, tree: &syn::UseTree, before: &str) {
        let join = |name: &syn::Ident| {
            if before.is_empty() {
                name.to_string()
            } else {
                format!("{before}::{name}")
            }
        };
        match tree {
            // The items of the file's own modules are walked themselves.
            syn::UseTree::Path(path)
                if before.is_empty() && self.modules.contains(&path.ident.to_string()) => {}
            syn::UseTree::Path(path) => self.reexports(&path.tree, &join(&path.ident)),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.reexports(tree, before);
                }
            }
            syn::UseTree::Name(name) => self.reexport(&name.ident, join(&name.ident)),
            syn::UseTree::Rename(rename) => self.reexport(&rename.rename, join(&rename.ident)),
            _ => {}
        }
    }

    fn reexport(&mut self, name: &syn::Ident, of: String) {
        let name = name.to_string();
        self.items
            .push(Item::new(Kind::Reexport, &self.module, &name, of));
    }
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

fn is_marked(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident(name))
}

/// Attributes that make a compiler warn callers.
fn told(attributes: &[syn::Attribute]) -> Vec<String> {
    attributes
        .iter()
        .filter(|attribute| {
            attribute.path().is_ident("must_use") || attribute.path().is_ident("deprecated")
        })
        .map(compact)
        .collect()
}

fn docs(attributes: &[syn::Attribute]) -> String {
    let lines: Vec<String> = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) => Some(&pair.value),
            _ => None,
        })
        .filter_map(|value| match value {
            syn::Expr::Lit(literal) => Some(&literal.lit),
            _ => None,
        })
        .filter_map(|literal| match literal {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        })
        .collect();
    lines.join("\n")
}

/// The field that a statement is about, unless it is about several.
fn about(statement: &str) -> Option<&str> {
    let mut fields = statement.split("self .").skip(1).filter_map(|rest| {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        rest.get(..end.unwrap_or(rest.len()))
    });
    let first = fields.next()?;
    fields.all(|field| field == first).then_some(first)
}
