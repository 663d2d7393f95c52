//! The discriminator itself, and its mapping.

use serde_json::Value;

use crate::schemas::comparison::Notes;
use crate::verdicts::{Mark, Rule, changed, quote, rules};
use openapi_schemas::reading::{Reading, Site, fingerprint};

/// Depth to which two targets are compared for equality.
const DEPTH: u8 = 3;

/// Compares the discriminators. Values that choose a listed alternative are compared with the alternatives.
pub(crate) fn discriminators<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
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
    mapped(notes, a, b);
    let keys = |value: &'d Value| value.as_object().into_iter().flat_map(|map| map.keys());
    for key in keys(a).chain(keys(b).filter(|key| a.get(key.as_str()).is_none())) {
        let (x, y) = (a.get(key), b.get(key));
        let rule = match key.as_str() {
            "mapping" => continue,
            _ if x == y => continue,
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

/// Compares the mapping values that choose no schema. The others are compared with the schemas that they choose.
fn mapped<'d>(notes: &mut Notes<'_, 'd>, a: &'d Value, b: &'d Value) {
    let before = notes.comparison.old.lost_tags(a);
    let after = notes.comparison.new.lost_tags(b);
    for value in &before | &after {
        let own = |holder: &'d Value| holder.get("mapping").and_then(|all| all.get(value));
        let (x, y) = (own(a), own(b));
        let rule = match (x, y) {
            (Some(x), Some(y)) if x == y => continue,
            (None, _) => &rules::DISCRIMINATOR_VALUE_ADDED,
            (_, None) => &rules::DISCRIMINATOR_VALUE_REMOVED,
            _ => &rules::DISCRIMINATOR_VALUE_CHANGED,
        };
        notes.differ(rule, Mark::within(x, a), Mark::within(y, b), || {
            let value = quote(&Value::String(value.to_owned()));
            format!("the value {value} of the discriminator chooses another schema, or none")
        });
    }
}

/// Returns whether two mapping values choose the same schema.
fn chooses_one(notes: &mut Notes<'_, '_>, old: &Value, new: &Value) -> bool {
    let (Some(old), Some(new)) = (old.as_str(), new.as_str()) else {
        return false;
    };
    let comparison = &notes.comparison;
    let x = comparison.old.schema_named(old);
    let y = comparison.new.schema_named(new);
    x.zip(y).is_some_and(|(x, y)| is_one(notes, x, y))
}

/// Returns whether two mapping targets are the same schema, by name or by content.
fn is_one<'d>(notes: &mut Notes<'_, 'd>, old: &'d Value, new: &'d Value) -> bool {
    let (x, y) = (
        notes.comparison.old.component_of(old),
        notes.comparison.new.component_of(new),
    );
    if x.is_some() && x == y {
        return true;
    }
    let site = |schema: &'d Value| Site::new(Some(schema), schema);
    fingerprint(&mut notes.comparison.old, &site(old), DEPTH)
        == fingerprint(&mut notes.comparison.new, &site(new), DEPTH)
}
