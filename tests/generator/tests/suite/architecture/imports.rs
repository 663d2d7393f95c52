//! What the files of a crate import from each other: by `use`, by a path in a type or expression, and by a path within the
//! tokens of a macro. What an import leads to is the file that defines it, whatever re-exports or renames it on the way.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::graph::Graph;
use super::modules::{Files, Found, Leaf, Modules, is_for_tests, is_reexport, leaves};

/// Macros whose tokens are the code of another crate.
const QUOTES: [&str; 3] = ["quote", "quote_spanned", "parse_quote"];

/// Adds the imports of the crate with this root file.
pub(crate) fn read(files: &Files, root: &str, graph: &mut Graph) {
    let modules = Modules::read(files, root);
    for (at, module) in modules.0.iter().enumerate() {
        graph.file(&module.file);
        if module.is_test {
            continue;
        }
        let mut imports = Imports {
            modules: &modules,
            at,
            scopes: Vec::new(),
            graph,
        };
        for item in &module.items {
            imports.visit_item(item);
        }
    }
}

struct Imports<'m> {
    modules: &'m Modules,
    /// The module that is read.
    at: usize,
    /// What the blocks around the current place import, the innermost last.
    scopes: Vec<BTreeMap<String, Vec<String>>>,
    graph: &'m mut Graph,
}

impl Imports<'_> {
    /// What a path means here. Imports of a block come before those of the module.
    fn find(&self, path: &[String]) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(first));
        match local {
            Some(import) if import != path => self
                .modules
                .find(self.at, &[import.as_slice(), rest].concat()),
            _ => self.modules.find(self.at, path),
        }
    }

    /// Notes what a path imports. A module as such is nothing yet: what is used of it has a path of its own.
    fn path(&mut self, path: &[String]) {
        if let Some(Found::Item(module)) = self.find(path) {
            let file = |index: usize| self.modules.0[index].file.clone();
            self.graph
                .import(&file(self.at), &file(module), &path.join("::"));
        }
    }

    /// Notes the paths of at least two segments among tokens that no grammar is known of.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) => {
                    // After two colons without a name before them stands a crate.
                    if colons != 2 || path.is_empty() {
                        self.scanned(&mut path);
                    }
                    if colons != 2 || !path.is_empty() {
                        path.push(ident.to_string());
                    }
                }
                TokenTree::Group(group) => {
                    self.scanned(&mut path);
                    self.tokens(group.stream());
                }
                _ => self.scanned(&mut path),
            }
            colons = 0;
        }
        self.scanned(&mut path);
    }

    fn scanned(&mut self, path: &mut Vec<String>) {
        if path.len() > 1 {
            self.path(path);
        }
        path.clear();
    }
}

impl<'a> Visit<'a> for Imports<'_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        // A module within the file is a module of its own.
        if !matches!(item, syn::Item::Mod(_)) && !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, import: &'a syn::ItemUse) {
        if import.leading_colon.is_some() {
            return;
        }
        for Leaf { path, name } in leaves(&import.tree) {
            // What a glob brings shows where it is used.
            if name.is_none() {
                continue;
            }
            // A module that re-exports what is below it imports nothing.
            let is_own = self
                .find(&path)
                .is_some_and(|found| self.modules.is_within(found.module(), self.at));
            if !(is_own && is_reexport(&import.vis)) {
                self.path(&path);
            }
        }
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        let mut scope = BTreeMap::new();
        for statement in &block.stmts {
            if let syn::Stmt::Item(syn::Item::Use(import)) = statement {
                for Leaf { path, name } in leaves(&import.tree) {
                    scope.extend(name.map(|name| (name, path)));
                }
            }
        }
        self.scopes.push(scope);
        visit::visit_block(self, block);
        self.scopes.pop();
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() {
            let segments: Vec<String> = path
                .segments
                .iter()
                .map(|one| one.ident.to_string())
                .collect();
            self.path(&segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.visit_path(&call.path);
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        if !name.is_some_and(|name| QUOTES.contains(&name.as_str())) {
            self.tokens(call.tokens.clone());
        }
    }

    /// `#[serde(with = "crate::form")]` names a path as a text.
    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            for token in list.tokens.clone() {
                if let TokenTree::Literal(literal) = token
                    && let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                    && let Ok(path) = text.parse::<syn::Path>()
                    && path.segments.len() > 1
                {
                    self.visit_path(&path);
                }
            }
        }
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    use syn::Item::{Const, Enum, Fn, Impl, Macro, Static, Struct, Trait, Type, Use};
    match item {
        Const(item) => &item.attrs,
        Enum(item) => &item.attrs,
        Fn(item) => &item.attrs,
        Impl(item) => &item.attrs,
        Macro(item) => &item.attrs,
        Static(item) => &item.attrs,
        Struct(item) => &item.attrs,
        Trait(item) => &item.attrs,
        Type(item) => &item.attrs,
        Use(item) => &item.attrs,
        _ => &[],
    }
}
