//! An alternative that is new or gone.

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::comparison::Comparison;
use crate::schemas::flat::Flat;
use crate::verdicts::{Mark, Pair, quote, rules};

impl<'d> Comparison<'d> {
    pub(super) fn alternative_added(&mut self, pair: &mut Pair, old: &Flat<'d>, one: &'d Value) {
        self.differ(
            pair,
            &rules::ALTERNATIVE_ADDED,
            Mark::within(None, old.home),
            Mark::at(one),
            || format!("the alternative {} is new", name(one)),
        );
    }

    pub(super) fn alternative_removed(&mut self, pair: &mut Pair, new: &Flat<'d>, one: &'d Value) {
        self.differ(
            pair,
            &rules::ALTERNATIVE_REMOVED,
            Mark::at(one),
            Mark::within(None, new.home),
            || format!("the alternative {} is gone", name(one)),
        );
    }
}

/// How an alternative is called in a sentence.
fn name(one: &Value) -> String {
    let component = reference(one).and_then(|reference| reference.rsplit('/').next());
    match component.or_else(|| one.get("title").and_then(Value::as_str)) {
        Some(name) => format!("`{name}`"),
        None => quote(one),
    }
}
