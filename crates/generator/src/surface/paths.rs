//! Rust in a normal form: paths from the crate's root, spaces as people write them.

use std::collections::BTreeSet;

use openapi_model::names;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

/// Names that are in scope everywhere, by their long form. The emitted code writes the long form where a document has a
/// type of the same name, which is no difference elsewhere.
const PRELUDE: [&str; 10] = [
    "std::boxed::Box",
    "std::cmp::PartialEq",
    "std::convert::AsRef",
    "std::convert::From",
    "std::convert::TryFrom",
    "std::default::Default",
    "std::option::Option",
    "std::result::Result",
    "std::string::String",
    "std::vec::Vec",
];

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
        let skipped = match names.first() {
            Some(first) if first == "crate" => 1,
            _ if PRELUDE.contains(&names.join("::").as_str()) => 2,
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
