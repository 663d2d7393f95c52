//! The items of a module that an item mentions in its code.

use std::collections::{BTreeSet, HashSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// The attributes of serde that take a path, as a string.
const SERDE_PATHS: [&str; 8] = [
    "default",
    "deserialize_with",
    "from",
    "into",
    "remote",
    "serialize_with",
    "try_from",
    "with",
];

/// Collects the names that an item mentions. Documentation is ignored.
pub(super) struct Mentions<'n> {
    /// The names that count, one in an inner module as `inner::Name`.
    known: &'n HashSet<String>,
    /// The module that has the names; `None` for an item of that module.
    module: Option<&'n str>,
    /// The inner module that contains the item.
    inside: Option<&'n str>,
    /// Generic parameters of the item.
    hidden: HashSet<String>,
    found: BTreeSet<String>,
}

impl<'n> Mentions<'n> {
    /// For items of the module that declares the names, or of a module inside it.
    pub(super) fn own(known: &'n HashSet<String>, inside: Option<&'n str>) -> Self {
        Self {
            known,
            module: None,
            inside,
            hidden: HashSet::new(),
            found: BTreeSet::new(),
        }
    }

    /// For files that mention the names as `module::Name`.
    pub(super) fn of(known: &'n HashSet<String>, module: &'n str) -> Self {
        Self {
            module: Some(module),
            ..Self::own(known, None)
        }
    }

    pub(super) fn found(self) -> BTreeSet<String> {
        self.found
    }

    /// Notes a path without `::` in front.
    fn note(&mut self, path: &[String]) {
        let is_start = |name: &&String| ["self", "super", "crate"].contains(&name.as_str());
        let mut path = path.iter().skip_while(is_start).peekable();
        if let Some(module) = self.module
            && path.next_if(|first| *first == module).is_none()
        {
            return;
        }
        let Some(first) = path.next() else {
            return;
        };
        if self.hidden.contains(first) {
            return;
        }
        let in_module = path.next().map(|second| format!("{first}::{second}"));
        let beside = self.inside.map(|inside| format!("{inside}::{first}"));
        let names = in_module.into_iter().chain(beside).chain([first.clone()]);
        let known = names.into_iter().find(|name| self.known.contains(name));
        self.found.extend(known);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut is_absolute = false;
        for token in tokens {
            let is_colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
            if is_colon {
                colons += 1;
                continue;
            }
            if let TokenTree::Ident(ident) = &token {
                if colons != 2 {
                    self.end(&mut path, is_absolute);
                }
                if path.is_empty() {
                    is_absolute = colons == 2;
                }
                path.push(ident.to_string());
            } else {
                // A name before `=` is declared here, such as an argument or a variant of `open_enum`.
                if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '=') {
                    path.clear();
                }
                self.end(&mut path, is_absolute);
                if let TokenTree::Group(group) = token {
                    self.tokens(group.stream());
                }
            }
            colons = 0;
        }
        self.end(&mut path, is_absolute);
    }

    fn end(&mut self, path: &mut Vec<String>, is_absolute: bool) {
        let path = std::mem::take(path);
        if !is_absolute {
            self.note(&path);
        }
    }
}

impl Visit<'_> for Mentions<'_> {
    fn visit_generic_param(&mut self, parameter: &syn::GenericParam) {
        if let syn::GenericParam::Type(parameter) = parameter {
            self.hidden.insert(parameter.ident.to_string());
        }
        visit::visit_generic_param(self, parameter);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() {
            let names: Vec<String> = names(path);
            self.note(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &syn::Macro) {
        self.tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        if !attribute.path().is_ident("serde") {
            return;
        }
        let metas =
            attribute.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
        for meta in metas.into_iter().flatten() {
            let syn::Meta::NameValue(pair) = &meta else {
                continue;
            };
            let is_path = SERDE_PATHS.iter().any(|key| pair.path.is_ident(key));
            if let syn::Expr::Lit(literal) = &pair.value
                && let syn::Lit::Str(text) = &literal.lit
                && let Ok(path) = text.parse::<syn::Path>()
                && is_path
            {
                self.visit_path(&path);
            }
        }
    }
}

fn names(path: &syn::Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments.map(|segment| segment.ident.to_string()).collect()
}

/// Returns whether code has a path into a module.
pub(super) fn has_path(items: &[syn::Item], module: &str) -> bool {
    struct Finder<'m>(&'m str, bool);
    impl Visit<'_> for Finder<'_> {
        fn visit_path(&mut self, path: &syn::Path) {
            self.1 |= path.segments.len() > 1
                && path.leading_colon.is_none()
                && path
                    .segments
                    .first()
                    .is_some_and(|first| first.ident == self.0);
            visit::visit_path(self, path);
        }
    }
    let mut finder = Finder(module, false);
    items.iter().for_each(|item| finder.visit_item(item));
    finder.1
}
