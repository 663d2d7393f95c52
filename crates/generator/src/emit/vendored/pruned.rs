//! A source file of the runtime, without what an emitted crate never has: tests, and items behind features that it lacks. The rest keeps its form
//! and its comments.

use std::ops::Range;

use openapi_document::finding::DocumentError;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta, Token};

use super::conditions::Condition;
use super::edits::Edits;
use super::manifest::{Merged, defect};

/// A pruned file.
pub(super) struct Pruned {
    pub(super) text: String,
    /// The modules that the file declares and does not hold.
    pub(super) modules: Vec<String>,
}

impl Pruned {
    /// Prunes a file of the runtime.
    ///
    /// # Errors
    ///
    /// A file that is no Rust.
    pub(super) fn new(path: &str, text: &str, merged: &Merged) -> Result<Self, DocumentError> {
        let file = syn::parse_file(text)
            .map_err(|error| defect(format!("`{path}` is no source file: {error}")))?;
        let mut pruner = Pruner {
            text,
            merged,
            edits: Edits::new(text),
            modules: Vec::new(),
        };
        pruner.decide(&file.attrs);
        pruner.visit_file(&file);
        Ok(Self {
            text: pruner.edits.apply(),
            modules: pruner.modules,
        })
    }
}

struct Pruner<'t> {
    text: &'t str,
    merged: &'t Merged,
    edits: Edits<'t>,
    modules: Vec<String>,
}

impl Pruner<'_> {
    /// Keeps a part of the file, or removes it if the crate never has it. Returns whether it is kept.
    fn keeps(&mut self, attributes: &[Attribute], part: Span) -> bool {
        let is_kept = self.decide(attributes);
        if !is_kept {
            self.edits.remove(part.byte_range());
        }
        is_kept
    }

    /// Decides the conditions of a part: those that are decided go, and the others keep what is open. Returns whether all may be met.
    fn decide(&mut self, attributes: &[Attribute]) -> bool {
        let mut is_kept = true;
        for attribute in attributes {
            let place = attribute.span().byte_range();
            if attribute.path().is_ident("cfg") {
                let Ok(condition) = attribute.parse_args::<Meta>() else {
                    continue;
                };
                match Condition::decide(&condition, self.merged) {
                    Condition::Decided(true) => self.edits.remove(place),
                    Condition::Decided(false) => is_kept = false,
                    Condition::Open(rest) => self.edits.replace(place, format!("#[cfg({rest})]")),
                }
            } else if attribute.path().is_ident("cfg_attr") {
                self.decide_attribute(attribute, place);
            }
        }
        is_kept
    }

    /// Decides the condition of an attribute.
    fn decide_attribute(&mut self, attribute: &Attribute, place: Range<usize>) {
        let Ok((condition, rest)) = attribute.parse_args_with(condition_and_rest) else {
            return;
        };
        let rest = self.text.get(rest.span().byte_range()).unwrap_or_default();
        let rest = rest.trim_end().trim_end_matches(',');
        let inner = if matches!(attribute.style, syn::AttrStyle::Inner(_)) {
            "!"
        } else {
            ""
        };
        match Condition::decide(&condition, self.merged) {
            Condition::Decided(true) => self.edits.replace(place, format!("#{inner}[{rest}]")),
            Condition::Decided(false) => self.edits.remove(place),
            Condition::Open(open) => {
                let text = format!("#{inner}[cfg_attr({open}, {rest})]");
                self.edits.replace(place, text);
            }
        }
    }
}

/// Keeps the parts of each type, or removes those that the crate never has.
macro_rules! pruned {
    ($($visit:ident $part:ident),*) => {$(
        fn $visit(&mut self, part: &'ast syn::$part) {
            if self.keeps(&attributes(part), part.span()) {
                visit::$visit(self, part);
            }
        }
    )*};
}

impl<'ast> Visit<'ast> for Pruner<'_> {
    pruned!(visit_item Item, visit_impl_item ImplItem, visit_trait_item TraitItem, visit_field Field);
    pruned!(visit_variant Variant, visit_field_value FieldValue, visit_field_pat FieldPat, visit_arm Arm);

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.content.is_none() {
            let name = module.ident.to_string();
            self.modules.push(name.trim_start_matches("r#").to_owned());
        }
        visit::visit_item_mod(self, module);
    }

    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        // An item is visited as one.
        let is_item = matches!(statement, syn::Stmt::Item(_));
        if is_item || self.keeps(&attributes(statement), statement.span()) {
            visit::visit_stmt(self, statement);
        }
    }
}

/// Parses the arguments of a `cfg_attr`.
fn condition_and_rest(input: ParseStream) -> syn::Result<(Meta, TokenStream)> {
    let condition = input.parse()?;
    input.parse::<Token![,]>()?;
    Ok((condition, input.parse()?))
}

/// Returns the attributes at the beginning of a part, whatever it is.
fn attributes(part: &impl ToTokens) -> Vec<Attribute> {
    let found = outer_attributes.parse2(part.to_token_stream());
    found.unwrap_or_default()
}

fn outer_attributes(input: ParseStream) -> syn::Result<Vec<Attribute>> {
    let attributes = Attribute::parse_outer(input)?;
    input.parse::<TokenStream>()?;
    Ok(attributes)
}
