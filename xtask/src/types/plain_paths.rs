//! `::std::option::Option` as everybody writes it, unless the document has a type of that name; and no `self::`.

use std::collections::HashSet;

use syn::visit_mut::{self, VisitMut};

use crate::openapi::Model;

const PRELUDE: [&str; 9] = [
    "std::boxed::Box",
    "std::convert::AsRef",
    "std::convert::From",
    "std::convert::TryFrom",
    "std::cmp::PartialEq",
    "std::option::Option",
    "std::result::Result",
    "std::string::String",
    "std::vec::Vec",
];

/// Shortens the paths of the prelude in a file.
pub(super) fn shorten(file: &mut syn::File, model: &Model) {
    let schemas = model.schemas.iter();
    let shadowed = schemas.map(|schema| schema.name.as_str()).collect();
    Shorten { shadowed }.visit_file_mut(file);
}

struct Shorten<'c> {
    shadowed: HashSet<&'c str>,
}

impl VisitMut for Shorten<'_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if path.segments.len() > 1
            && path
                .segments
                .first()
                .is_some_and(|first| first.ident == "self")
        {
            path.segments = std::mem::take(&mut path.segments)
                .into_iter()
                .skip(1)
                .collect();
            return;
        }
        let joined = names.join("::");
        let is_shadowed = names
            .last()
            .is_some_and(|last| self.shadowed.contains(last.as_str()));
        if path.leading_colon.is_some() && PRELUDE.contains(&joined.as_str()) && !is_shadowed {
            path.leading_colon = None;
            path.segments = path.segments.pop().into_iter().collect();
        }
    }
}
