//! Patterns, formats, encodings, steps of numbers, repeated elements.

use serde_json::Value;

use crate::diff::schemas::comparison::Comparison;
use crate::diff::schemas::flat::{Flat, same};
use crate::diff::verdicts::{Mark, Pair, changed, rules};

impl<'d> Comparison<'d> {
    /// Patterns, formats, encodings, steps, repetitions.
    pub(in crate::diff) fn texts(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        use rules::{
            ENCODING_CHANGED, PATTERN_ADDED, PATTERN_CHANGED, PATTERN_REMOVED, STEP_ADDED,
            STEP_CHANGED, STEP_REMOVED,
        };
        for (keyword, added, removed, other) in [
            (
                "pattern",
                &PATTERN_ADDED,
                &PATTERN_REMOVED,
                &PATTERN_CHANGED,
            ),
            ("multipleOf", &STEP_ADDED, &STEP_REMOVED, &STEP_CHANGED),
            (
                "contentEncoding",
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
            ),
            (
                "contentMediaType",
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
            ),
        ] {
            let values = |flat: &Flat<'d>| {
                flat.all(keyword)
                    .filter(|value| !allows_all(value))
                    .collect::<Vec<_>>()
            };
            let (a, b) = (values(old), values(new));
            let gone = a.iter().find(|a| !b.iter().any(|b| same(a, b))).copied();
            let come = b.iter().find(|b| !a.iter().any(|a| same(a, b))).copied();
            let rule = match (gone, come) {
                (None, None) => continue,
                (None, Some(_)) => added,
                (Some(_), None) => removed,
                (Some(a), Some(b)) if keyword == "multipleOf" => match (a.as_u64(), b.as_u64()) {
                    (Some(a), Some(b)) if a != 0 && b % a == 0 => added,
                    (Some(a), Some(b)) if b != 0 && a % b == 0 => removed,
                    _ => other,
                },
                _ => other,
            };
            self.differ(
                pair,
                rule,
                Mark::within(gone, old.home),
                Mark::within(come, new.home),
                || changed(keyword, gone, come),
            );
        }
        let formats = |flat: &Flat<'d>| flat.all("format").collect::<Vec<_>>();
        let (a, b) = (formats(old), formats(new));
        let gone = a.iter().find(|a| !b.contains(a)).copied();
        let come = b.iter().find(|b| !a.contains(b)).copied();
        let rule = match (gone.and_then(Value::as_str), come.and_then(Value::as_str)) {
            (Some("int32"), Some("int64")) | (Some("float"), Some("double")) => {
                Some(&rules::FORMAT_WIDENED)
            }
            (Some("int64"), Some("int32")) | (Some("double"), Some("float")) => {
                Some(&rules::FORMAT_NARROWED)
            }
            _ => match (gone, come) {
                (None, None) => None,
                (Some(_), None) => Some(&rules::FORMAT_WIDENED),
                (None, Some(_)) => Some(&rules::FORMAT_NARROWED),
                (Some(_), Some(_)) => Some(&rules::FORMAT_CHANGED),
            },
        };
        if let Some(rule) = rule {
            self.differ(
                pair,
                rule,
                Mark::within(gone, old.home),
                Mark::within(come, new.home),
                || changed("format", gone, come),
            );
        }
        if old.says("uniqueItems") != new.says("uniqueItems") {
            let rule = if new.says("uniqueItems") {
                &rules::UNIQUE_ADDED
            } else {
                &rules::UNIQUE_REMOVED
            };
            let (a, b) = (old.first("uniqueItems"), new.first("uniqueItems"));
            self.differ(
                pair,
                rule,
                Mark::within(a, old.home),
                Mark::within(b, new.home),
                || changed("uniqueItems", a, b),
            );
        }
    }
}

/// Patterns that every text matches.
fn allows_all(value: &Value) -> bool {
    matches!(value.as_str(), Some("" | ".*" | "^.*$" | "^.*" | ".*$"))
}
