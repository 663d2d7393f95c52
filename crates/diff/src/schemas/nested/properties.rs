//! Properties: which there are, which are required, and which way they travel.

use std::collections::BTreeMap;

use regex_lite::Regex;
use serde_json::Value;

use super::children::nested;
use super::travels::Flags;
use crate::schemas::comparison::{Form, Notes};
use crate::schemas::flat::{Flat, Parts, Site};
use crate::verdicts::{Mark, Turn, changed, rules};

/// A property, as all parts of a schema together have it.
#[derive(Default)]
pub(super) struct Property<'d> {
    pub(super) parts: Parts<'d>,
    /// The element of a `required` list.
    pub(super) required: Option<&'d Value>,
}

pub(super) fn properties<'d>(flat: &Flat<'d>) -> BTreeMap<&'d str, Property<'d>> {
    let mut all: BTreeMap<&'d str, Property<'d>> = BTreeMap::new();
    for (name, schema) in flat
        .all("properties")
        .filter_map(Value::as_object)
        .flatten()
    {
        all.entry(name).or_default().parts.push(schema);
    }
    for name in flat.all("required").filter_map(Value::as_array).flatten() {
        if let Some(text) = name.as_str() {
            all.entry(text).or_default().required = Some(name);
        }
    }
    all
}

/// What a schema says of a property that it does not declare: by a pattern, or else of all others.
fn undeclared<'d>(name: &str, flat: &Flat<'d>) -> Site<'d> {
    let is_like = |pattern: &str| Regex::new(pattern).is_ok_and(|regex| regex.is_match(name));
    let patterns = flat.all("patternProperties").filter_map(Value::as_object);
    let mut parts: Parts<'d> = patterns
        .flatten()
        .filter(|(pattern, _)| is_like(pattern))
        .map(|(_, schema)| schema)
        .collect();
    if parts.is_empty() {
        let others = flat.all("additionalProperties");
        parts.extend(others.filter(|schema| schema.is_object()));
    }
    Site::all(parts, flat.home)
}

/// Whether a property is refused that the new schema does not declare.
fn refuses<'d>(notes: &mut Notes<'_, 'd>, name: &str, flat: &Flat<'d>) -> bool {
    let is_false = |keyword: &str| flat.all(keyword).any(|value| value == &Value::Bool(false));
    // What another keyword or an alternative speaks of is evaluated.
    let mut alternatives = flat.groups.iter().flat_map(|group| &group.alternatives);
    let mut declares = |one: &'d Value| {
        let alternative = notes.comparison.new.object(one);
        let properties = alternative.and_then(|schema| schema.get("properties"));
        properties.is_some_and(|all| all.get(name).is_some())
    };
    let is_closed = is_false("additionalProperties")
        || flat.first("additionalProperties").is_none()
            && is_false("unevaluatedProperties")
            && !alternatives.any(|one| declares(one));
    is_closed && undeclared(name, flat).parts.is_empty()
}

/// Compares a property that one side declares with what the other says of properties that it does not declare, if it does.
fn unless_any<'d>(notes: &mut Notes<'_, 'd>, old: Site<'d>, new: Site<'d>, form: Form, ways: u8) {
    if !old.parts.is_empty() && !new.parts.is_empty() {
        notes.child(old, new, nested(form), ways, Turn::Keep);
    }
}

/// Notes that a property has another name, and compares its schemas. Returns whether that is all: nothing is said of names that the
/// schemas do not declare.
pub(super) fn renamed<'d>(
    notes: &mut Notes<'_, 'd>,
    (name, old, a): (&str, &Flat<'d>, &Property<'d>),
    (other, new, b): (&str, &Flat<'d>, &Property<'d>),
    form: Form,
) -> bool {
    let is_said = |name: &str, flat: &Flat<'d>| !undeclared(name, flat).parts.is_empty();
    if is_said(name, new) || is_said(other, old) {
        return false;
    }
    let (rule, optional) = match (refuses(notes, name, new), a.required.is_some()) {
        (_, true) => (&rules::PROPERTY_RENAMED_REQUIRED, "required"),
        (true, false) => (&rules::PROPERTY_RENAMED_REFUSED, "optional"),
        (false, false) => (&rules::PROPERTY_RENAMED, "optional"),
    };
    let ways = Flags::of(&mut notes.comparison.old, &a.parts).ways;
    let mark = |property: &Property<'d>| {
        let schema = property.parts.first().copied();
        schema.map_or(Mark::NONE, Mark::at)
    };
    let delta = notes
        .comparison
        .graph
        .delta(rule, mark(a), mark(b), ways, || {
            format!("the {optional} property `{name}` was renamed to `{other}`")
        });
    notes.pair.deltas.push(delta);
    property(notes, other, (old, a), (new, b), form);
    true
}

pub(super) fn property<'d>(
    notes: &mut Notes<'_, 'd>,
    name: &str,
    old: (&Flat<'d>, &Property<'d>),
    new: (&Flat<'d>, &Property<'d>),
    form: Form,
) {
    let (a, b) = (old.1, new.1);
    let site =
        |property: &Property<'d>, flat: &Flat<'d>| Site::all(property.parts.clone(), flat.home);
    let (before, after) = (site(a, old.0), site(b, new.0));
    let flags = (
        Flags::of(&mut notes.comparison.old, &a.parts),
        Flags::of(&mut notes.comparison.new, &b.parts),
    );
    let (flags_before, flags_after) = (flags.0.ways, flags.1.ways);
    let mark = |property: &Property<'d>| {
        let value = property.parts.first().copied().or(property.required);
        value.map_or(Mark::NONE, Mark::at)
    };
    match (a.parts.is_empty(), b.parts.is_empty()) {
        (true, false) if a.required.is_none() => {
            let (rule, optional) = if b.required.is_some() {
                (&rules::PROPERTY_ADDED_REQUIRED, "required")
            } else {
                (&rules::PROPERTY_ADDED, "optional")
            };
            let delta =
                notes
                    .comparison
                    .graph
                    .delta(rule, Mark::NONE, mark(b), flags_after, || {
                        format!("the {optional} property `{name}` is new")
                    });
            notes.pair.deltas.push(delta);
            let (before, after) = (undeclared(name, old.0), after);
            unless_any(notes, before, after, form, flags_after);
            return;
        }
        (false, true) if b.required.is_none() => {
            let closed = refuses(notes, name, new.0);
            let (rule, optional) = match (closed, a.required.is_some()) {
                (false, false) => (&rules::PROPERTY_REMOVED, "optional"),
                (false, true) => (&rules::PROPERTY_REMOVED_REQUIRED, "required"),
                (true, false) => (&rules::PROPERTY_REFUSED, "optional"),
                (true, true) => (&rules::PROPERTY_REFUSED_REQUIRED, "required"),
            };
            let refused = if closed {
                ", and no other is allowed"
            } else {
                ""
            };
            let what = || format!("the {optional} property `{name}` is gone{refused}");
            let delta = notes
                .comparison
                .graph
                .delta(rule, mark(a), Mark::NONE, flags_before, what);
            notes.pair.deltas.push(delta);
            let (before, after) = (before, undeclared(name, new.0));
            unless_any(notes, before, after, form, flags_before);
            return;
        }
        _ => {}
    }
    for (x, y, come, gone) in [
        (
            flags.0.read_only,
            flags.1.read_only,
            &rules::READ_ONLY_ADDED,
            &rules::READ_ONLY_REMOVED,
        ),
        (
            flags.0.write_only,
            flags.1.write_only,
            &rules::WRITE_ONLY_ADDED,
            &rules::WRITE_ONLY_REMOVED,
        ),
    ] {
        if x.is_some() != y.is_some() {
            let rule = if y.is_some() { come } else { gone };
            notes.differ(
                rule,
                Mark::within(x, before.home),
                Mark::within(y, after.home),
                || {
                    changed(
                        if std::ptr::eq(come, &rules::READ_ONLY_ADDED) {
                            "readOnly"
                        } else {
                            "writeOnly"
                        },
                        x,
                        y,
                    )
                },
            );
        }
    }
    // What is required of a value that travels one way only is required that way only.
    let owed =
        |property: &Property<'d>, ways: u8| if property.required.is_some() { ways } else { 0 };
    let (owed_before, owed_after) = (owed(a, flags_before), owed(b, flags_after));
    let required = (a.required.is_some(), b.required.is_some());
    for (rule, ways, switched, now) in [
        (
            &rules::BECAME_REQUIRED,
            owed_after & !owed_before,
            required == (false, true),
            "required",
        ),
        // A value that no longer travels at all has a rule of its own.
        (
            &rules::BECAME_OPTIONAL,
            owed_before & !owed_after & flags_after,
            required == (true, false),
            "optional",
        ),
    ] {
        if switched || ways != 0 {
            let mark = |property: &Property<'d>, home: &'d Value| {
                let value = property.parts.first().copied().or(property.required);
                Mark {
                    value: Some(value.unwrap_or(home)),
                    home: Some(value.unwrap_or(home)),
                }
            };
            let delta = notes.comparison.graph.delta(
                rule,
                mark(a, old.0.home),
                mark(b, new.0.home),
                ways,
                || format!("the property `{name}` became {now}"),
            );
            notes.pair.deltas.push(delta);
        }
    }
    // The values of this property say which alternative is meant, and are divided among them.
    if old.0.tag.or(new.0.tag) == Some(name) {
        return;
    }
    // What travels on one side only has nothing to be compared with on the other.
    notes.child(
        before,
        after,
        nested(form),
        flags_before & flags_after,
        Turn::Keep,
    );
}
