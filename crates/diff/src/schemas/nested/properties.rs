//! Properties: their names, whether they are required, and whether they are sent or received.

use regex_lite::Regex;
use serde_json::Value;

use super::children::nested;
use super::ways::Flags;
use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Mark, Turn, changed, rules};
use openapi_schemas::reading::{Member, Parts, Reading, Site};

/// Returns the schema for a property that is not declared: by pattern, or else for all others.
fn undeclared<'d>(name: &str, flat: &Reading<'d>) -> Site<'d> {
    let is_like = |pattern: &str| Regex::new(pattern).is_ok_and(|regex| regex.is_match(name));
    let patterns = flat.all("patternProperties").filter_map(Value::as_object);
    let mut parts: Parts<'d> = patterns
        .flatten()
        .filter(|(pattern, _)| is_like(pattern))
        .map(|(_, schema)| schema)
        .collect();
    if parts.is_empty() {
        parts = flat.further().parts();
    }
    Site::all(parts, flat.home)
}

/// Returns whether the new schema refuses a property that it does not declare.
fn refuses<'d>(notes: &mut Notes<'_, 'd>, name: &str, flat: &Reading<'d>) -> bool {
    let is_false = |keyword: &str| flat.all(keyword).any(|value| value == &Value::Bool(false));
    // Properties in another keyword or an alternative count as evaluated.
    let mut alternatives = flat.choices.iter().flat_map(|group| &group.alternatives);
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
    (name, old, a): (&str, &Reading<'d>, &Member<'d>),
    (other, new, b): (&str, &Reading<'d>, &Member<'d>),
    form: Form,
) -> bool {
    let is_said = |name: &str, flat: &Reading<'d>| !undeclared(name, flat).parts.is_empty();
    if is_said(name, new) || is_said(other, old) {
        return false;
    }
    let (rule, optional) = match (refuses(notes, name, new), a.required.is_some()) {
        (_, true) => (&rules::PROPERTY_RENAMED_REQUIRED, "required"),
        (true, false) => (&rules::PROPERTY_RENAMED_REFUSED, "optional"),
        (false, false) => (&rules::PROPERTY_RENAMED, "optional"),
    };
    let ways = Flags::of(&mut notes.comparison.old, &a.parts).ways;
    let mark = |property: &Member<'d>| {
        let schema = property.parts.first().copied();
        schema.map_or(Mark::NONE, Mark::at)
    };
    notes.differ_in(ways, rule, (mark(a), mark(b)), || {
        format!("the {optional} property `{name}` was renamed to `{other}`")
    });
    property(notes, other, (old, a), (new, b), form);
    true
}

/// A property in both schemas, either of which may lack it.
struct Both<'f, 'd> {
    name: &'f str,
    old: (&'f Reading<'d>, &'f Member<'d>),
    new: (&'f Reading<'d>, &'f Member<'d>),
    /// `readOnly` and `writeOnly` of both sides.
    flags: (Flags<'d>, Flags<'d>),
}

pub(super) fn property<'d>(
    notes: &mut Notes<'_, 'd>,
    name: &str,
    old: (&Reading<'d>, &Member<'d>),
    new: (&Reading<'d>, &Member<'d>),
    form: Form,
) {
    let comparison = &mut notes.comparison;
    let both = Both {
        name,
        old,
        new,
        flags: (
            Flags::of(&mut comparison.old, &old.1.parts),
            Flags::of(&mut comparison.new, &new.1.parts),
        ),
    };
    match (old.1.parts.is_empty(), new.1.parts.is_empty()) {
        (true, false) if old.1.required.is_none() => return added(notes, &both, form),
        (false, true) if new.1.required.is_none() => return removed(notes, &both, form),
        _ => {}
    }
    flagged(notes, &both);
    required(notes, &both);
    // The values of this property choose the alternative, and are divided among them.
    if old.0.tag.or(new.0.tag) == Some(name) {
        return;
    }
    // A value can only be compared in the ways that both sides share.
    let ways = both.flags.0.ways & both.flags.1.ways;
    notes.child(site(old), site(new), nested(form), ways, Turn::Keep);
}

fn site<'d>((flat, property): (&Reading<'d>, &Member<'d>)) -> Site<'d> {
    Site::all(property.parts.clone(), flat.home)
}

fn mark<'d>(property: &Member<'d>) -> Mark<'d> {
    let value = property.parts.first().copied().or(property.required);
    value.map_or(Mark::NONE, Mark::at)
}

fn added<'d>(notes: &mut Notes<'_, 'd>, both: &Both<'_, 'd>, form: Form) {
    let (name, ways) = (both.name, both.flags.1.ways);
    let (rule, optional) = match both.new.1.required {
        Some(_) => (&rules::PROPERTY_ADDED_REQUIRED, "required"),
        None => (&rules::PROPERTY_ADDED, "optional"),
    };
    notes.differ_in(ways, rule, (Mark::NONE, mark(both.new.1)), || {
        format!("the {optional} property `{name}` is new")
    });
    unless_any(
        notes,
        undeclared(name, both.old.0),
        site(both.new),
        form,
        ways,
    );
}

fn removed<'d>(notes: &mut Notes<'_, 'd>, both: &Both<'_, 'd>, form: Form) {
    let (name, ways) = (both.name, both.flags.0.ways);
    let (rest, rules) = if refuses(notes, name, both.new.0) {
        (
            ", and no other is allowed",
            [&rules::PROPERTY_REFUSED, &rules::PROPERTY_REFUSED_REQUIRED],
        )
    } else {
        (
            "",
            [&rules::PROPERTY_REMOVED, &rules::PROPERTY_REMOVED_REQUIRED],
        )
    };
    let [optional, required] = rules;
    let (rule, optional) = match both.old.1.required {
        Some(_) => (required, "required"),
        None => (optional, "optional"),
    };
    notes.differ_in(ways, rule, (mark(both.old.1), Mark::NONE), || {
        format!("the {optional} property `{name}` is gone{rest}")
    });
    unless_any(
        notes,
        site(both.old),
        undeclared(name, both.new.0),
        form,
        ways,
    );
}

/// Compares `readOnly` and `writeOnly` of the property.
fn flagged<'d>(notes: &mut Notes<'_, 'd>, both: &Both<'_, 'd>) {
    let (a, b) = &both.flags;
    let read_only = [&rules::READ_ONLY_ADDED, &rules::READ_ONLY_REMOVED];
    let write_only = [&rules::WRITE_ONLY_ADDED, &rules::WRITE_ONLY_REMOVED];
    for (keyword, x, y, [come, gone]) in [
        ("readOnly", a.read_only, b.read_only, read_only),
        ("writeOnly", a.write_only, b.write_only, write_only),
    ] {
        if x.is_some() != y.is_some() {
            let rule = if y.is_some() { come } else { gone };
            let home = |site: Site<'d>| site.home;
            let (before, after) = (home(site(both.old)), home(site(both.new)));
            notes.differ(
                rule,
                Mark::within(x, before),
                Mark::within(y, after),
                || changed(keyword, x, y),
            );
        }
    }
}

/// Compares `required`. A `readOnly` property is required in responses only, a `writeOnly` one in requests only.
fn required<'d>(notes: &mut Notes<'_, 'd>, both: &Both<'_, 'd>) {
    let (a, b) = (both.old.1.required.is_some(), both.new.1.required.is_some());
    let (before, after) = (both.flags.0.ways, both.flags.1.ways);
    let owed = (if a { before } else { 0 }, if b { after } else { 0 });
    // A value that is no longer sent or received has a separate rule.
    let lifted = owed.0 & !owed.1 & after;
    for (rule, ways, switched, now) in [
        (
            &rules::BECAME_REQUIRED,
            owed.1 & !owed.0,
            !a && b,
            "required",
        ),
        (&rules::BECAME_OPTIONAL, lifted, a && !b, "optional"),
    ] {
        if switched || ways != 0 {
            let mark = |(flat, property): (&Reading<'d>, &Member<'d>)| {
                let value = property.parts.first().copied().or(property.required);
                Mark::at(value.unwrap_or(flat.home))
            };
            notes.differ_in(ways, rule, (mark(both.old), mark(both.new)), || {
                format!("the property `{}` became {now}", both.name)
            });
        }
    }
}
