//! Only the table of rules in the diff knows rule identifiers: everything else asks the rule.

use std::collections::BTreeSet;

use openapi_diff::RULES;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

use super::keywords::text;
use super::purity::sources;

const TABLE: &str = "crates/diff/src/verdicts/rules.rs";

/// Identifier of a rule that is also a keyword.
const KEYWORD: &str = "deprecated";

/// Collects the strings of a file that are a rule identifier, or its first part with the dot.
fn ids(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => ids(group.stream(), found),
            TokenTree::Literal(literal) => {
                let Some(string) = text(&literal) else {
                    continue;
                };
                let is_first = string.ends_with('.') && string.len() > 1;
                let is_id = |id: &str| id == string || is_first && id.starts_with(&string);
                if string != KEYWORD && RULES.iter().any(|rule| is_id(rule.id)) {
                    found.insert(format!("{string:?}"));
                }
            }
            _ => {}
        }
    }
}

/// Comparisons of a rule identifier.
struct Comparisons<'f>(&'f mut BTreeSet<String>);

impl Comparisons<'_> {
    fn note(&mut self, expr: &Expr, by: &str) {
        let mut expr = expr;
        while let Expr::Reference(reference) = expr {
            expr = &reference.expr;
        }
        let Expr::Field(field) = expr else { return };
        let is_id = matches!(&field.member, syn::Member::Named(name) if name == "id");
        let is_rule = match &*field.base {
            Expr::Field(base) => matches!(&base.member, syn::Member::Named(name) if name == "rule"),
            Expr::Path(base) => base.path.is_ident("rule"),
            _ => false,
        };
        if is_id && is_rule {
            self.0.insert(format!("`rule.id` in {by}"));
        }
    }
}

impl<'a> Visit<'a> for Comparisons<'_> {
    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            self.note(&binary.left, "a comparison");
            self.note(&binary.right, "a comparison");
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        // Reports are sorted by identifier.
        if call.method != "cmp" {
            let by = format!("`{}`", call.method);
            std::iter::once(&*call.receiver)
                .chain(&call.args)
                .for_each(|expr| self.note(expr, &by));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_match(&mut self, one: &'a syn::ExprMatch) {
        self.note(&one.expr, "a match");
        visit::visit_expr_match(self, one);
    }
}

fn guesses(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let file = syn::parse_file(text).unwrap();
    Comparisons(&mut found).visit_file(&file);
    ids(text.parse().unwrap(), &mut found);
    found
}

#[test]
fn rules_are_told_apart_by_their_columns_and_never_by_their_ids() {
    let mut wrong = Vec::new();
    for (name, text) in sources(&["crates", "xtask/src"]) {
        let found = guesses(&text);
        if name != TABLE && !found.is_empty() {
            wrong.push(format!("{name}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "give {TABLE} a column: {wrong:#?}");
}

#[test]
fn a_guess_by_the_id_of_a_rule_is_found() {
    for guess in [
        "rule == \"docs.changed\"",
        "change.rule.id != DOCS",
        "change.rule.id.starts_with(start)",
        "KNOWN.contains(&change.rule.id)",
        "matches!(id, \"no-effect\")",
        "id.starts_with(\"schema.\")",
        "match rule.id { _ => true }",
    ] {
        let text = format!("fn is_it() -> bool {{ {guess} }}");
        assert_eq!(guesses(&text).len(), 1, "{guess}");
    }
    let text = "fn order() -> Ordering { self.rule.id.cmp(other.rule.id) }";
    assert_eq!(guesses(text), BTreeSet::new());
}
