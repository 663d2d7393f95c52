//! Structs and enumerations, with their fields, variants and derived traits.

use syn::visit_mut::VisitMut;

use super::item::{Item, Kind};
use super::paths::{FromRoot, compact};
use super::walk::{Walk, is_public};

impl Walk {
    pub(super) fn declare(
        &mut self,
        name: &syn::Ident,
        attributes: &[syn::Attribute],
        shape: String,
    ) -> String {
        let name = name.to_string();
        let visible = visible_attributes(attributes);
        let open_ended = is_marked(attributes, "non_exhaustive");
        let mut signature = visible.clone();
        signature.extend(open_ended.then(|| "#[non_exhaustive]".to_owned()));
        signature.push(shape.clone());
        self.items.push(Item {
            docs: docs(attributes),
            attributes: visible,
            shape,
            ..Item::new(Kind::Type, &self.module, &name, signature.join(" "))
        });
        let path = self.path(&name);
        self.derives(&path, attributes);
        path
    }

    fn derives(&mut self, owner: &str, attributes: &[syn::Attribute]) {
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"))
        {
            // Attributes that do not parse as a list of paths do not compile either.
            let _ = attribute.parse_nested_meta(|meta| {
                let name = self.paths.text(&meta.path, FromRoot::visit_path_mut);
                let signature = format!("impl {name}");
                self.items
                    .push(Item::new(Kind::Trait, owner, &name, signature));
                Ok(())
            });
        }
    }

    pub(super) fn structure(&mut self, item: &syn::ItemStruct) {
        let generics = compact(&item.generics);
        let shape = match &item.fields {
            syn::Fields::Named(_) => "struct {}",
            syn::Fields::Unnamed(_) => "struct ()",
            syn::Fields::Unit => "struct",
        };
        let path = self.declare(&item.ident, &item.attrs, format!("{shape}{generics}"));
        for (index, field) in item.fields.iter().enumerate() {
            let name = field
                .ident
                .as_ref()
                .map_or_else(|| index.to_string(), ToString::to_string);
            if is_public(&field.vis) {
                let ty = self.paths.ty(&field.ty);
                self.items.push(Item {
                    docs: docs(&field.attrs),
                    attributes: visible_attributes(&field.attrs),
                    ..Item::new(Kind::Field, &path, &name, ty)
                });
            }
        }
    }

    pub(super) fn enumeration(&mut self, item: &syn::ItemEnum) {
        let generics = compact(&item.generics);
        let path = self.declare(&item.ident, &item.attrs, format!("enum{generics}"));
        for variant in &item.variants {
            let name = variant.ident.to_string();
            let holds = self.paths.text(&variant.fields, FromRoot::visit_fields_mut);
            self.items.push(Item {
                docs: docs(&variant.attrs),
                attributes: visible_attributes(&variant.attrs),
                ..Item::new(Kind::Variant, &path, &name, holds)
            });
        }
    }
}

fn is_marked(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident(name))
}

/// Attributes that make a compiler warn callers.
pub(super) fn visible_attributes(attributes: &[syn::Attribute]) -> Vec<String> {
    attributes
        .iter()
        .filter(|attribute| {
            attribute.path().is_ident("must_use") || attribute.path().is_ident("deprecated")
        })
        .map(compact)
        .collect()
}

pub(super) fn docs(attributes: &[syn::Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(text) = &literal.lit
        {
            lines.push(text.value());
        }
    }
    lines.join("\n")
}
