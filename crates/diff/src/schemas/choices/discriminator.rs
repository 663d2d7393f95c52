//! The discriminator itself, and its mapping.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::resolver::reference;
use serde_json::Value;

use super::print::print;
use crate::schemas::comparison::Notes;
use crate::schemas::flat::{Flat, Site};
use crate::schemas::side::Side;
use crate::verdicts::{Mark, Rule, address, changed, quote, rules};

/// Depth to which two targets are compared for equality.
const DEPTH: u8 = 3;

/// Mapping values of a discriminator that lead to no listed alternative, each with its schema.
type Mapping<'d> = BTreeMap<&'d str, Option<&'d Value>>;

/// Compares the discriminators. Values that choose a listed alternative are compared with the alternatives.
pub(crate) fn discriminators<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, new: &Flat<'d>) {
    let (a, b) = match (old.first("discriminator"), new.first("discriminator")) {
        (None, None) => return,
        (Some(a), Some(b)) => (a, b),
        (a, b) => {
            let rule = match a {
                None => &rules::DISCRIMINATOR_ADDED,
                Some(_) => &rules::DISCRIMINATOR_REMOVED,
            };
            return notes.changed(rule, "discriminator", (old, a), (new, b));
        }
    };
    mapped(notes, (old, a), (new, b));
    let keys = |value: &'d Value| value.as_object().into_iter().flat_map(|map| map.keys());
    for key in keys(a).chain(keys(b).filter(|key| a.get(key.as_str()).is_none())) {
        let (x, y) = (a.get(key), b.get(key));
        let rule = match key.as_str() {
            _ if x == y => continue,
            "mapping" => continue,
            "propertyName" => &rules::DISCRIMINATOR_CHANGED,
            "defaultMapping" => match (x, y) {
                (Some(one), Some(other)) if chooses_one(notes, one, other) => continue,
                (None, _) => &rules::DISCRIMINATOR_VALUE_ADDED,
                (_, None) => &rules::DISCRIMINATOR_VALUE_REMOVED,
                _ => &rules::DISCRIMINATOR_VALUE_CHANGED,
            },
            key => Rule::of_member(key, &rules::UNHANDLED),
        };
        let marks = (Mark::within(x, a), Mark::within(y, b));
        notes.differ(rule, marks.0, marks.1, || changed(key, x, y));
    }
}

/// Returns the mapping values that choose a schema outside of the listed alternatives.
fn mapped<'d>(
    notes: &mut Notes<'_, 'd>,
    (old, a): (&Flat<'d>, &'d Value),
    (new, b): (&Flat<'d>, &'d Value),
) {
    let (before, after) = (
        mapping(&notes.comparison.old, old, a),
        mapping(&notes.comparison.new, new, b),
    );
    let mark = |holder: &'d Value, value: &str| {
        let own = holder.get("mapping").and_then(|all| all.get(value));
        Mark::within(own, holder)
    };
    let all: BTreeSet<&'d str> = before.keys().chain(after.keys()).copied().collect();
    for value in all {
        let (rule, what) = match (before.get(value), after.get(value)) {
            (Some(x), Some(y)) => {
                if is_one(notes, *x, *y) {
                    continue;
                }
                (
                    &rules::DISCRIMINATOR_VALUE_CHANGED,
                    "chooses another schema",
                )
            }
            (None, _) => (&rules::DISCRIMINATOR_VALUE_ADDED, "is new"),
            (_, None) => (&rules::DISCRIMINATOR_VALUE_REMOVED, "is gone"),
        };
        notes.differ(rule, mark(a, value), mark(b, value), || {
            let value = quote(&Value::String(value.to_owned()));
            format!("the value {value} of the discriminator {what}")
        });
    }
}

/// Returns whether two mapping values choose the same schema.
fn chooses_one(notes: &mut Notes<'_, '_>, old: &Value, new: &Value) -> bool {
    let (Some(old), Some(new)) = (old.as_str(), new.as_str()) else {
        return false;
    };
    let comparison = &notes.comparison;
    let (x, y) = (
        comparison.old.schema_named(old),
        comparison.new.schema_named(new),
    );
    x.is_some() && is_one(notes, x, y)
}

/// Returns whether two mapping targets are the same schema, by name or by content.
fn is_one<'d>(notes: &mut Notes<'_, 'd>, old: Option<&'d Value>, new: Option<&'d Value>) -> bool {
    let (Some(old), Some(new)) = (old, new) else {
        return old.is_none() && new.is_none();
    };
    let (x, y) = (
        notes.comparison.old.component_of(old),
        notes.comparison.new.component_of(new),
    );
    if x.is_some() && x == y {
        return true;
    }
    let site = |schema: &'d Value| Site::new(Some(schema), schema);
    print(&mut notes.comparison.old, &site(old), DEPTH)
        == print(&mut notes.comparison.new, &site(new), DEPTH)
}

fn mapping<'d>(side: &Side<'d>, flat: &Flat<'d>, discriminator: &'d Value) -> Mapping<'d> {
    let alternatives = flat.groups.iter().flat_map(|group| &group.alternatives);
    let listed: BTreeSet<usize> = alternatives
        .map(|one| {
            let target = reference(one).and_then(|text| side.schema_named(text));
            address(target.unwrap_or(one))
        })
        .collect();
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    let all = mapping.into_iter().flatten().map(|(value, target)| {
        let target = target.as_str().and_then(|text| side.schema_named(text));
        (value.as_str(), target)
    });
    all.filter(|(_, target)| target.is_none_or(|target| !listed.contains(&address(target))))
        .collect()
}
