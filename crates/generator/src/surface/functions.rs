//! Functions, constants and what types implement.

use std::collections::BTreeSet;

use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::item::{Argument, Item, Kind};
use super::paths::{FromRoot, compact};
use super::types::{docs, visible_attributes};
use super::walk::{CODE, Walk, is_public};

/// Fields that code reads.
#[derive(Default)]
struct Fields(BTreeSet<String>);

impl<'ast> Visit<'ast> for Fields {
    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        if let syn::Member::Named(name) = &field.member {
            self.0.insert(name.to_string());
        }
        syn::visit::visit_expr_field(self, field);
    }
}

impl Walk {
    pub(super) fn constant(
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
            attributes: visible_attributes(attributes),
            ..Item::new(Kind::Constant, owner, &name.to_string(), ty)
        });
        self.keep(owner, CODE, compact(value));
    }

    pub(super) fn function(
        &mut self,
        owner: &str,
        attributes: &[syn::Attribute],
        signature: &syn::Signature,
        body: &syn::Block,
    ) {
        let mut signature = signature.clone();
        self.paths.visit_signature_mut(&mut signature);
        // A long list is written with a comma at its end.
        signature.inputs.pop_punct();
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
        let visible = visible_attributes(attributes);
        let text = compact(&signature);
        self.items.push(Item {
            docs: docs(attributes),
            arguments,
            shape: compact(&bare),
            attributes: visible.clone(),
            ..Item::new(
                Kind::Function,
                owner,
                &name,
                [visible, vec![text]].concat().join(" "),
            )
        });
        self.keep(owner, &name, compact(body));
    }

    pub(super) fn implementation(&mut self, item: &syn::ItemImpl) {
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
            // A manual implementation has it, a derived one does not.
            .replace("<'de>", "");
        let mut shape = format!("impl {name}");
        // A conversion into a foreign type belongs to our type.
        let ours = if self.is_own(&owner) {
            owner.clone()
        } else {
            let mentioned = name.rsplit("::").next().unwrap_or_default();
            self.nearest(mentioned)
        };
        // A builder has few of them, each for a different reason.
        let label = match of.segments.last() {
            Some(last) if self.module == "operations" => last.ident.to_string(),
            _ => CODE.to_owned(),
        };
        let is_conversion = self.module != "operations"
            && of
                .segments
                .last()
                .is_some_and(|last| last.ident == "TryFrom");
        for inner in &item.items {
            match inner {
                syn::ImplItem::Fn(inner) if is_conversion => {
                    let mut taken = Fields::default();
                    taken.visit_block(&inner.block);
                    // Another member is another value, although the code builds.
                    for field in taken.0 {
                        shape.push_str(&format!(" from {field}"));
                    }
                    self.keep(&ours, &label, compact(inner));
                }
                syn::ImplItem::Type(inner) => {
                    let ty = self.paths.ty(&inner.ty);
                    shape.push_str(&format!(" with {} = {ty}", inner.ident));
                }
                other => self.keep(&ours, &label, compact(other)),
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
            // Each statement is kept separately, with the argument that it is about.
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
