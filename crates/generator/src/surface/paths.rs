//! Rust in a normal form: paths from the crate's root, spaces as people write them.

use std::collections::BTreeSet;

use openapi_model::names;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

use crate::emit::in_prelude;

/// Writes paths of one module from the crate's root.
pub(super) struct FromRoot {
    /// The module's path.
    pub(super) module: String,
    /// The types and modules that it declares.
    pub(super) own: BTreeSet<String>,
}

impl FromRoot {
    pub(super) fn text<T: ToTokens + Clone>(
        &mut self,
        part: &T,
        visit: fn(&mut Self, &mut T),
    ) -> String {
        let mut part = part.clone();
        visit(self, &mut part);
        compact(&part)
    }

    pub(super) fn ty(&mut self, ty: &syn::Type) -> String {
        self.text(ty, Self::visit_type_mut)
    }
}

impl VisitMut for FromRoot {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        path.leading_colon = None;
        let in_prelude = in_prelude(&names, |_| false);
        let skipped = match names.first() {
            // The emitted code writes the long form where a document has a type of the same name.
            _ if in_prelude.is_some() => in_prelude.unwrap_or_default(),
            Some(first) if first == "crate" => 1,
            Some(first) if self.own.contains(first) && !self.module.is_empty() => {
                for module in self.module.rsplit("::") {
                    let module = names::ident(module);
                    path.segments.insert(0, syn::PathSegment::from(module));
                }
                0
            }
            _ => 0,
        };
        path.segments = std::mem::take(&mut path.segments)
            .into_iter()
            .skip(skipped)
            .collect();
    }
}

/// Tokens with the spaces that people write.
pub(super) fn compact(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, written) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" :", ":"),
        (" (", "("),
        (" ;", ";"),
        ("# [", "#["),
        (" !", "!"),
    ] {
        text = text.replace(spaced, written);
    }
    text.replace("->(", "-> (")
}
