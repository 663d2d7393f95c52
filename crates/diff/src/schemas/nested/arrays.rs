//! Elements of lists.

use serde_json::Value;

use super::children::of_elements;
use crate::schemas::comparison::{Comparison, Form};
use crate::schemas::flat::{Flat, Site};
use crate::verdicts::{Pair, Turn, way};

impl<'d> Comparison<'d> {
    pub(crate) fn arrays(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>, form: Form) {
        let first = |flat: &Flat<'d>| {
            let list = flat.first("prefixItems").and_then(Value::as_array);
            list.map(Vec::as_slice).unwrap_or_default()
        };
        let rest = |flat: &Flat<'d>| {
            Site::all(
                flat.all("items")
                    .filter(|value| value.is_object())
                    .collect(),
                flat.home,
            )
        };
        let (before, after) = (first(old), first(new));
        for index in 0..before.len().max(after.len()) {
            let site = |list: &'d [Value], flat: &Flat<'d>| match list.get(index) {
                Some(schema) => Site::new(Some(schema), flat.home),
                None => rest(flat),
            };
            self.child(
                pair,
                site(before, old),
                site(after, new),
                of_elements(form),
                way::BOTH,
                Turn::Keep,
            );
        }
        for keyword in ["items", "additionalItems", "unevaluatedItems"] {
            self.rest(pair, keyword, old, new, form);
        }
        self.conditional(pair, "contains", Turn::Keep, old, new);
        self.plain_child(pair, "contentSchema", old, new);
    }
}
