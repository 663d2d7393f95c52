//! Compares two schemas that describe one value, as parts of one `allOf` do.

use std::collections::HashSet;

use openapi_document::json::{members_of, text_of};
use openapi_schemas::decimal::Key;
use openapi_schemas::reading::{choices, types};
use serde_json::Value;

use super::type_name::CHOSEN;
use super::written::{Written, leaves_open};

/// Returns the values beside null that an enumeration lists.
fn listed<'d>(written: &Written<'d>, schema: &'d Value) -> Option<HashSet<Key<'d>>> {
    let values = written.reading(schema).enum_values?;
    let values = values.iter().map(|one| one.value);
    Some(
        values
            .filter(|value| !value.is_null())
            .map(Key::of)
            .collect(),
    )
}

/// Returns whether a schema lists values, and another one allows more.
fn lists_fewer<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let others = listed(written, other);
    listed(written, one).is_some_and(|own| match others {
        Some(others) => own.len() < others.len() && own.is_subset(&others),
        None => !contradict(written, one, other),
    })
}

/// Returns whether two schemas list strings, and each some of those of the other.
fn list_common<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let both = listed(written, one).zip(listed(written, other));
    both.is_some_and(|(own, others)| {
        let mut common = own.intersection(&others).peekable();
        common.peek().is_some()
            && common.all(|key| matches!(key, Key::Other(Value::String(_))))
            && !others.is_subset(&own)
    })
}

/// Returns whether a schema is more specific than another one that holds beside it.
pub(super) fn is_specific<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    leaves_open(other)
        || lists_fewer(written, one, other)
        || names_more(written, one, other)
        || has_fewer_types(written, one, other)
        || is_bare(written, other) && !is_bare(written, one)
}

/// Returns whether a schema has some of the types of another one, which are types of scalars.
fn has_fewer_types<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let (one, other) = (written.reading(one).types, written.reading(other).types);
    one != other && one & other == one && one & (types::OBJECT | types::ARRAY) == 0
}

/// Returns whether a schema is an object or a list of which nothing is described.
fn is_bare<'d>(written: &Written<'d>, schema: &'d Value) -> bool {
    let resolved = written.resolve(schema).schema;
    let is_open = match text_of(resolved, "type") {
        Some("object") => named(written, schema).is_none() && !has_further(written, schema),
        Some("array") => resolved.get("items").is_none_or(leaves_open),
        _ => false,
    };
    is_open
        && resolved.get("prefixItems").is_none()
        && written.parts(resolved).len() == 1
        && is_plain(written, schema)
}

/// Returns whether a schema describes values that another one leaves open.
pub(super) fn says_more<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    !leaves_open(one) && is_specific(written, one, other) || has_others(written, one, other)
}

/// Returns whether the objects or elements of one schema have all members of the other, and more.
fn names_more<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let both = named(written, one).zip(named(written, other));
    both.is_some_and(|(more, less)| {
        more.in_list == less.in_list
            && more.names.len() > less.names.len()
            && more.names.is_superset(&less.names)
    })
}

/// Returns whether no value has the types of both schemas, or is listed by both.
pub(super) fn contradict<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let values = listed(written, one).zip(listed(written, other));
    let (one, other) = (written.reading(one), written.reading(other));
    let are_other_values = values.is_some_and(|(own, others)| own.is_disjoint(&others));
    (one.types & other.types == 0 || are_other_values) && !(one.null && other.null)
}

/// Returns whether a schema restricts another one: it lists other strings, or an object or the elements of a list have members that the
/// other one lacks.
pub(super) fn has_others<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let (own, others) = (named(written, one), named(written, other));
    let has_more = match (&own, &others) {
        (Some(own), Some(others)) => {
            own.in_list == others.in_list && !own.names.is_subset(&others.names)
        }
        // A map of further members.
        (None, Some(others)) => {
            !others.in_list && has_further(written, one) && !has_further(written, other)
        }
        _ => list_common(written, one, other),
    };
    has_more && is_plain(written, one) && is_plain(written, other)
}

fn has_further<'d>(written: &Written<'d>, schema: &'d Value) -> bool {
    let further = written.resolve(schema).schema.get("additionalProperties");
    further.is_some_and(|further| *further != Value::Bool(false))
}

/// Returns whether a schema or its elements have neither a type of the runtime, nor alternatives or children.
fn is_plain<'d>(written: &Written<'d>, schema: &'d Value) -> bool {
    let schema = written.resolve(schema).schema;
    let schema = schema.get("items").unwrap_or(schema);
    let schema = written.resolve(schema).schema;
    let keys = [CHOSEN, "discriminator"];
    keys.iter().all(|key| schema.get(key).is_none()) && choices(schema).next().is_none()
}

/// Names of the members of an object and its alternatives.
struct Named<'d> {
    names: HashSet<&'d str>,
    /// True if the object is the element of a list.
    in_list: bool,
}

/// Returns the names of the members of a schema or its elements; `None` if it has none, or parts.
fn named<'d>(written: &Written<'d>, schema: &'d Value) -> Option<Named<'d>> {
    let schema = written.resolve(schema).schema;
    let items = schema.get("items");
    let object = items.map_or(schema, |items| written.resolve(items).schema);
    let alternatives = choices(object).flatten();
    let alternatives = alternatives.map(|one| written.resolve(one).schema);
    let mut names = HashSet::new();
    for one in alternatives.chain([object]) {
        if written.parts(one).len() > 1 {
            return None;
        }
        names.extend(members_of(one, "properties").map(|(name, _)| name.as_str()));
    }
    let in_list = items.is_some();
    (!names.is_empty()).then_some(Named { names, in_list })
}
