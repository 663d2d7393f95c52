//! The types of a schema, and whether it allows null.

use std::collections::{BTreeSet, HashSet};

use super::enum_values::{Written, are_flags, enum_values, listed};
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::verdicts::{Rule, rules};
use openapi_schemas::reading::{EnumValue, Reading, types};

/// Compares types, null and enum values. Returns whether the two share a type, so that the rest can be compared.
pub(crate) fn kinds<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) -> bool {
    let Readings { old, new } = both;
    let (a, b) = (in_form(old.types, form), in_form(new.types, form));
    let is_unknown = (old.types | new.types) & types::UNKNOWN != 0;
    if is_unknown && old.typed && new.typed {
        if written_types(old) != written_types(new) {
            type_changed(notes, &rules::UNHANDLED, both);
        }
    } else if a & b == 0 && !(old.null && new.null) && (a | b != 0 || old.null != new.null) {
        let rule = match (a == 0 && !old.null, b == 0 && !new.null) {
            (true, _) => &rules::TYPE_WIDENED,
            (_, true) => &rules::TYPE_NARROWED,
            _ => &rules::TYPE_CHANGED,
        };
        type_changed(notes, rule, both);
        return false;
    } else if let (Some(before), Some(after)) = (&old.enum_values, &new.enum_values) {
        // Values that are still listed, and that only one of the type sets allows.
        let listed: HashSet<Written<'_>> = after.iter().map(|one| Written::of(one, form)).collect();
        let mut kept: Vec<&EnumValue<'d>> = before.iter().collect();
        kept.retain(|one| a != b && listed.contains(&Written::of(one, form)));
        let rule = match (excludes(a, b, &kept), excludes(b, a, &kept)) {
            _ if form.is_text() => (!kept.is_empty()).then_some(&rules::PARAMETER_RESPELLED),
            (true, true) => Some(&rules::TYPE_CHANGED),
            (true, false) => Some(&rules::TYPE_NARROWED),
            (false, true) => Some(&rules::TYPE_WIDENED),
            (false, false) => None,
        };
        if let Some(rule) = rule {
            type_changed(notes, rule, both);
        }
        enum_values(notes, both, before, after, form);
    } else {
        // A new list of enum values narrows the type, and is reported itself.
        let (was_listed, is_listed) = (old.enum_values.is_some(), new.enum_values.is_some());
        // A list of all types is the same as none.
        let unnamed = if old.null == new.null {
            types::UNKNOWN
        } else {
            0
        };
        let (gone, come) = (a & !b & !unnamed, b & !a & !unnamed);
        let has_other_types = (old.types ^ new.types) & !unnamed != 0;
        let is_respelled = has_other_types && !was_listed && !is_listed;
        let values = old.enum_values.as_ref().or(new.enum_values.as_ref());
        let is_flag = form.is_text() && [old.types, new.types].contains(&types::BOOLEAN);
        let rule = match (gone != 0, come != 0) {
            _ if means_type_of(old, new) || means_type_of(new, old) => Some(&rules::NO_EFFECT),
            _ if is_flag && has_other_types && values.is_some_and(|all| are_flags(all, form)) => {
                Some(&rules::PARAMETER_RESPELLED)
            }
            (true, true) => Some(&rules::TYPE_CHANGED),
            (true, false) if !is_listed => Some(&rules::TYPE_NARROWED),
            (false, true) if !was_listed => Some(&rules::TYPE_WIDENED),
            (false, false) if is_respelled => Some(&rules::PARAMETER_RESPELLED),
            _ => None,
        };
        if let Some(rule) = rule {
            type_changed(notes, rule, both);
        }
        listed(notes, both, form);
    }
    nulls(notes, both);
    true
}

/// Returns whether a schema without a type is about values of the other one's type alone: it lists properties or elements.
fn means_type_of(untyped: &Reading<'_>, other: &Reading<'_>) -> bool {
    let keyword = match other.types {
        types::OBJECT => "properties",
        types::ARRAY => "items",
        _ => return false,
    };
    !untyped.typed && untyped.first(keyword).is_some()
}

/// Returns whether values of the old schema are strings of the new one, as they are written.
pub(crate) fn became_string(both: Readings<'_, '_>, form: Form) -> bool {
    let (old, new) = (both.old.types, both.new.types);
    new & types::STRING != 0 && old & !new & in_form(types::STRING, form) != 0
}

/// Returns the types of a schema as written.
fn written_types(flat: &Reading<'_>) -> BTreeSet<String> {
    let about = flat.about.iter().filter_map(|one| one.get("type"));
    let all = flat.all("type").chain(about);
    all.map(ToString::to_string).collect()
}

/// Returns whether one of these values has a type of the one set, and none of the other.
fn excludes(own: u8, other: u8, values: &[&EnumValue<'_>]) -> bool {
    values.iter().any(|one| {
        let types = types::type_of(one.value);
        types & own != 0 && types & other == 0
    })
}

fn type_changed<'d>(notes: &mut Notes<'_, 'd>, rule: &'static Rule, both: Readings<'_, 'd>) {
    let [old, new] = [both.old, both.new].map(|flat| flat.first("type").unwrap_or(flat.home));
    let keyword = both.keyword("type", Some(old), Some(new));
    notes.differ(rule, keyword, || {
        let [old, new] = [both.old, both.new].map(spell);
        format!("the type changed from {old} to {new}")
    });
}

/// Compares whether null is allowed.
pub(crate) fn nulls<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let Readings { old, new } = both;
    if old.null == new.null || !restricts(old) || !restricts(new) {
        return;
    }
    let (rule, not) = if new.null {
        (&rules::NULL_ADDED, "now")
    } else {
        (&rules::NULL_REMOVED, "no longer")
    };
    let [old, new] = [old, new].map(|flat| flat.null_keyword().unwrap_or(flat.home));
    let keyword = both.keyword("type", Some(old), Some(new));
    notes.differ(rule, keyword, || format!("null is {not} allowed"));
}

/// Returns whether a schema restricts types, so that null is allowed or not.
fn restricts(flat: &Reading<'_>) -> bool {
    flat.typed || !flat.choices.is_empty()
}

/// Returns the types of a form: in a plain string, a string includes every scalar, and what is joined to one.
fn in_form(allowed: u8, form: Form) -> u8 {
    if !form.is_text() || allowed & types::STRING == 0 {
        allowed
    } else if matches!(form, Form::Text { .. }) {
        allowed | !types::UNKNOWN & types::ALL
    } else {
        allowed | types::NUMBER | types::BOOLEAN
    }
}

fn spell(flat: &Reading<'_>) -> String {
    let names = types::names(flat.types);
    if names.len() > 4 {
        "any".to_owned()
    } else if names.is_empty() {
        if flat.null { "null" } else { "nothing" }.to_owned()
    } else {
        names.join(" or ")
    }
}
