//! Names of properties on the wire that the new document has lost: by a renaming, or with an override that is no longer needed. Stored
//! responses have them, so an override keeps them readable beside the new name.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::pointer;
use openapi_schemas::reading::{Document, parts};
use serde_json::{Map, Value};

use crate::rebase::correspondence::Correspondence;
use crate::rebase::pointers::whole_schema;

/// The extension for other names of a property.
pub(super) const ALIASES: &str = "x-aliases";

/// Returns the lost names, each list with the properties of the new document that have them. A property with other names by another
/// override keeps those.
pub(super) fn lost(to: &Correspondence<'_>) -> BTreeMap<Vec<String>, BTreeSet<String>> {
    let mut found: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for (a, all) in &to.cores {
        for b in all {
            let Some((before, after)) = properties(to.old, a).zip(properties(to.new, b)) else {
                continue;
            };
            let known = all_names(to.new, b);
            for (name, property) in before {
                let old = Property {
                    place: pointer::join(&format!("{a}/properties"), name),
                    names: names(name, property),
                };
                if let Some((at, names)) = lost_names(to, &old, (b, after), &known) {
                    found.entry(names).or_default().insert(at);
                }
            }
        }
    }
    found
}

/// A property of the old document, with its names.
struct Property<'d> {
    place: String,
    names: BTreeSet<&'d str>,
}

/// Returns the property that an old one became, and the names that it lost. `known` are those that the new schema has.
fn lost_names(
    to: &Correspondence<'_>,
    old: &Property<'_>,
    (owner, after): (&str, &Map<String, Value>),
    known: &BTreeSet<&str>,
) -> Option<(String, Vec<String>)> {
    let paired = to.slots.get(&old.place);
    let (at, property) = after.iter().find_map(|(own, property)| {
        let at = pointer::join(&format!("{owner}/properties"), own);
        let is_it = paired.is_some_and(|all| all.contains(&at))
            || !old.names.is_disjoint(&names(own, property));
        is_it.then_some((at, property))
    })?;
    let lost = old.names.difference(known);
    let lost: Vec<String> = lost.map(|name| (*name).to_owned()).collect();
    (!lost.is_empty() && property.get(ALIASES).is_none()).then_some((at, lost))
}

/// Returns the names of all properties of a schema and of its parts.
fn all_names<'d>(root: &'d Value, schema: &str) -> BTreeSet<&'d str> {
    let whole = root.pointer(whole_schema(schema));
    let parts = whole.map(|whole| parts(&mut Document::new(root), whole));
    let owners = parts.into_iter().flatten();
    let owners = owners.filter_map(|one| one.get("properties")?.as_object());
    let all = owners.flatten();
    all.flat_map(|(own, property)| names(own, property))
        .collect()
}

/// Returns all names of a property.
fn names<'d>(own: &'d str, property: &'d Value) -> BTreeSet<&'d str> {
    let aliases = property.get(ALIASES).and_then(Value::as_array);
    let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
    aliases.chain([own]).collect()
}

fn properties<'d>(document: &'d Value, schema: &str) -> Option<&'d Map<String, Value>> {
    document.pointer(schema)?.get("properties")?.as_object()
}
