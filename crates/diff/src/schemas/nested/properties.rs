//! Properties: their names, whether they are required, and whether they are sent or received.

use regex_lite::Regex;
use serde_json::Value;

use super::children::nested;
use super::ways::Flags;
use crate::schemas::annotations::annotation;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::verdicts::{Both, Keyword, Mark, Marks, Turn, rules};
use openapi_schemas::reading::{Member, Parts, Reading, Site};

/// A property in both schemas, either of which may lack it.
#[derive(Clone, Copy)]
pub(super) struct Members<'r, 'd> {
    pub(super) both: Readings<'r, 'd>,
    pub(super) old: &'r Member<'d>,
    pub(super) new: &'r Member<'d>,
}

impl<'d> Members<'_, 'd> {
    /// Returns the values to point at, or the schemas without one.
    fn values(self) -> Both<'d> {
        let home = self.both.home();
        Both::new(
            value(self.old).unwrap_or(home.old),
            value(self.new).unwrap_or(home.new),
        )
    }

    fn old_site(self) -> Site<'d> {
        Site::all(self.old.parts.clone(), self.both.old.home)
    }

    fn new_site(self) -> Site<'d> {
        Site::all(self.new.parts.clone(), self.both.new.home)
    }
}

/// Returns the schema for a property that is not declared: by pattern, or else for all others.
fn undeclared<'d>(name: &str, flat: &Reading<'d>) -> Site<'d> {
    let patterns = flat.all("patternProperties").filter_map(Value::as_object);
    let matching = patterns
        .flatten()
        .filter(|(pattern, _)| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(name)));
    let mut parts: Parts<'d> = matching.map(|(_, schema)| schema).collect();
    if parts.is_empty() {
        parts = flat.further().parts();
    }
    Site::all(parts, flat.home)
}

fn describes(flat: &Reading<'_>, name: &str) -> bool {
    !undeclared(name, flat).parts.is_empty()
}

/// Returns whether the new schema refuses a property that it does not declare.
fn refuses<'d>(notes: &mut Notes<'_, 'd>, name: &str, flat: &Reading<'d>) -> bool {
    let is_closed = flat.forbids("additionalProperties")
        || flat.first("additionalProperties").is_none()
            && flat.forbids("unevaluatedProperties")
            && !is_declared_by_alternative(notes, name, flat);
    is_closed && !describes(flat, name)
}

/// Returns whether an alternative declares a property: it counts as evaluated then.
fn is_declared_by_alternative<'d>(
    notes: &mut Notes<'_, 'd>,
    name: &str,
    flat: &Reading<'d>,
) -> bool {
    let mut alternatives = flat.choices.iter().flat_map(|group| &group.alternatives);
    alternatives.any(|one| {
        let alternative = notes.comparison.new.object(one);
        let properties = alternative.and_then(|schema| schema.get("properties"));
        properties.is_some_and(|all| all.get(name).is_some())
    })
}

/// Compares a property that one side declares with the other side's schema for undeclared properties, if it has one.
fn unless_any<'d>(notes: &mut Notes<'_, 'd>, old: Site<'d>, new: Site<'d>, form: Form, ways: u8) {
    if !old.parts.is_empty() && !new.parts.is_empty() {
        notes.child(old, new, nested(form), ways, Turn::Keep);
    }
}

/// Records that a property has another name, and compares its schemas. Returns false, without doing so, if a schema describes the
/// other name as an undeclared property.
pub(super) fn renamed<'d>(
    notes: &mut Notes<'_, 'd>,
    [name, other]: [&str; 2],
    members: Members<'_, 'd>,
    form: Form,
) -> bool {
    let both = members.both;
    if describes(both.new, name) || describes(both.old, other) {
        return false;
    }
    let is_required = members.old.required.is_some();
    let (rule, optional) = match (refuses(notes, name, both.new), is_required) {
        (_, true) => (&rules::PROPERTY_RENAMED_REQUIRED, "required"),
        (true, false) => (&rules::PROPERTY_RENAMED_REFUSED, "optional"),
        (false, false) => (&rules::PROPERTY_RENAMED, "optional"),
    };
    let ways = Flags::of(&mut notes.comparison.old, &members.old.parts).ways;
    notes.differ_in(ways, rule, members.values(), || {
        format!("the {optional} property `{name}` was renamed to `{other}`")
    });
    property(notes, other, members, form);
    true
}

/// A property with the flags of both sides.
struct Property<'r, 'd> {
    name: &'r str,
    members: Members<'r, 'd>,
    old: Flags<'d>,
    new: Flags<'d>,
}

pub(super) fn property<'d>(
    notes: &mut Notes<'_, 'd>,
    name: &str,
    members: Members<'_, 'd>,
    form: Form,
) {
    let Members { both, old, new } = members;
    let property = Property {
        name,
        members,
        old: Flags::of(&mut notes.comparison.old, &old.parts),
        new: Flags::of(&mut notes.comparison.new, &new.parts),
    };
    match (old.parts.is_empty(), new.parts.is_empty()) {
        (true, false) if old.required.is_none() => return added(notes, &property, form),
        (false, true) if new.required.is_none() => return removed(notes, &property, form),
        _ => {}
    }
    flagged(notes, &property);
    required(notes, &property);
    // The values of this property choose the alternative, and are divided among them.
    if both.old.tag.or(both.new.tag) == Some(name) {
        return;
    }
    // A value can only be compared in the ways that both sides share.
    let ways = property.old.ways & property.new.ways;
    let (old, new) = (members.old_site(), members.new_site());
    notes.child(old, new, nested(form), ways, Turn::Keep);
}

/// Returns the value to point at for a property.
fn value<'d>(member: &Member<'d>) -> Option<&'d Value> {
    member.parts.first().copied().or(member.required)
}

fn mark<'d>(member: &Member<'d>) -> Mark<'d> {
    value(member).map_or(Mark::NONE, Mark::at)
}

fn added<'d>(notes: &mut Notes<'_, 'd>, property: &Property<'_, 'd>, form: Form) {
    let Property { name, members, .. } = property;
    let ways = property.new.ways;
    let (rule, optional) = match members.new.required {
        Some(_) => (&rules::PROPERTY_ADDED_REQUIRED, "required"),
        None => (&rules::PROPERTY_ADDED, "optional"),
    };
    let marks = Marks::new(Mark::NONE, mark(members.new));
    notes.differ_in(ways, rule, marks, || {
        format!("the {optional} property `{name}` is new")
    });
    let old = undeclared(name, members.both.old);
    unless_any(notes, old, members.new_site(), form, ways);
}

fn removed<'d>(notes: &mut Notes<'_, 'd>, property: &Property<'_, 'd>, form: Form) {
    let Property { name, members, .. } = property;
    let ways = property.old.ways;
    let is_required = members.old.required.is_some();
    let is_refused = refuses(notes, name, members.both.new);
    let new = undeclared(name, members.both.new);
    let old = members.old_site();
    let is_allowed = !new.parts.is_empty() && notes.comparison.are_equal(&old, &new);
    let (rule, now) = match (is_allowed, is_refused, is_required) {
        (true, _, true) => (&rules::BECAME_OPTIONAL, "an undeclared one now"),
        (true, _, false) => (&rules::NO_EFFECT, "an undeclared one now"),
        (_, true, true) => (
            &rules::PROPERTY_REFUSED_REQUIRED,
            "gone, and no other is allowed",
        ),
        (_, true, false) => (&rules::PROPERTY_REFUSED, "gone, and no other is allowed"),
        (_, false, true) => (&rules::PROPERTY_REMOVED_REQUIRED, "gone"),
        (_, false, false) => (&rules::PROPERTY_REMOVED, "gone"),
    };
    let marks = Marks::new(mark(members.old), Mark::NONE);
    notes.differ_in(ways, rule, marks, || {
        let optional = if is_required { "required" } else { "optional" };
        format!("the {optional} property `{name}` is {now}")
    });
    unless_any(notes, old, new, form, ways);
}

/// Compares `readOnly` and `writeOnly` of the property.
fn flagged<'d>(notes: &mut Notes<'_, 'd>, property: &Property<'_, 'd>) {
    let Property {
        members, old, new, ..
    } = property;
    let home = Both::new(members.old_site().home, members.new_site().home);
    let flags = [
        ("readOnly", old.read_only, new.read_only),
        ("writeOnly", old.write_only, new.write_only),
    ];
    for (name, old, new) in flags {
        let keyword = Keyword {
            name,
            home,
            old,
            new,
        };
        annotation(notes, keyword, Form::Data);
    }
}

/// Compares `required`. A `readOnly` property is required in responses only, a `writeOnly` one in requests only.
fn required<'d>(notes: &mut Notes<'_, 'd>, property: &Property<'_, 'd>) {
    let Property { name, members, .. } = property;
    let (before, after) = (property.old.ways, property.new.ways);
    let (was, is) = (
        members.old.required.is_some(),
        members.new.required.is_some(),
    );
    let owed_before = if was { before } else { 0 };
    let owed_after = if is { after } else { 0 };
    let added = owed_after & !owed_before;
    if added != 0 || !was && is {
        notes.differ_in(added, &rules::BECAME_REQUIRED, members.values(), || {
            format!("the property `{name}` became required")
        });
    }
    // A value that is no longer sent or received has a separate rule.
    let lifted = owed_before & !owed_after & after;
    if lifted != 0 || was && !is {
        notes.differ_in(lifted, &rules::BECAME_OPTIONAL, members.values(), || {
            format!("the property `{name}` became optional")
        });
    }
}
