//! The discriminator itself, and its mapping.

use serde_json::Value;

use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::{Both, Keyword, Rule, quote, rules};
use openapi_schemas::reading::Site;

/// Compares the discriminators. Values that choose a listed alternative are compared with the alternatives.
pub(crate) fn discriminators<'d>(notes: &mut Notes<'_, 'd>, readings: Readings<'_, 'd>) {
    let discriminator = readings.first("discriminator");
    let both = match (discriminator.old, discriminator.new) {
        (None, None) => return,
        (None, Some(_)) => return notes.changed(&rules::DISCRIMINATOR_ADDED, discriminator),
        (Some(_), None) => return notes.changed(&rules::DISCRIMINATOR_REMOVED, discriminator),
        (Some(old), Some(new)) => Both { old, new },
    };
    mapped(notes, both);
    for keyword in both.keywords().filter(|keyword| keyword.differs()) {
        let rule = match keyword.name {
            "mapping" => continue,
            "propertyName" => &rules::DISCRIMINATOR_CHANGED,
            "defaultMapping" if chooses_one(notes, keyword) => continue,
            "defaultMapping" => value_rule(keyword),
            name => Rule::of_member(name, &rules::UNHANDLED),
        };
        notes.changed(rule, keyword);
    }
}

/// Returns the rule of a value that chooses another schema.
fn value_rule(value: Keyword<'_, '_>) -> &'static Rule {
    match (value.old, value.new) {
        (None, _) => &rules::DISCRIMINATOR_VALUE_ADDED,
        (_, None) => &rules::DISCRIMINATOR_VALUE_REMOVED,
        _ => &rules::DISCRIMINATOR_VALUE_CHANGED,
    }
}

/// Compares the mapping values that choose no schema. The others are compared with the schemas that they choose.
fn mapped<'d>(notes: &mut Notes<'_, 'd>, both: Both<'d>) {
    let before = notes.comparison.old.lost_tags(both.old);
    let after = notes.comparison.new.lost_tags(both.new);
    let mapping = both.keyword("mapping");
    for name in &before | &after {
        let value = Keyword {
            home: both,
            ..mapping.inner(name)
        };
        if value.both().is_some() && !value.differs() {
            continue;
        }
        notes.differ(value_rule(value), value, || {
            let value = quote(&Value::String(name.to_owned()));
            format!("the value {value} of the discriminator chooses another schema, or none")
        });
    }
}

/// Returns whether two mapping values choose the same schema, by name or by content.
fn chooses_one(notes: &mut Notes<'_, '_>, value: Keyword<'_, '_>) -> bool {
    let comparison = &mut *notes.comparison;
    let old = value.old.and_then(Value::as_str);
    let old = old.and_then(|name| comparison.old.schema_named(name));
    let new = value.new.and_then(Value::as_str);
    let new = new.and_then(|name| comparison.new.schema_named(name));
    let (Some(old), Some(new)) = (old, new) else {
        return false;
    };
    let component = comparison.old.component_of(old);
    if component.is_some() && component == comparison.new.component_of(new) {
        return true;
    }
    let [old, new] = [old, new].map(|schema| Site::new(Some(schema), schema));
    comparison.are_equal(&old, &new)
}
