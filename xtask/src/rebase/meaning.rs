//! Whether a guard still means what it meant: the differences that the diff found at what it guards. Words about it do not count, nor does
//! what came to be as the override wants it.

use serde_json::{Map, Value};

use super::chain::{chain, component};
use super::correspondence::Correspondence;
use crate::diff::{Change, Differences, Place};
use crate::overlay::lists;
use crate::pointer;

/// Rules that change no message, or are about the whole document.
const BESIDE: [&str; 6] = [
    "docs.changed",
    "operation.id-changed",
    "link.changed",
    "component.added",
    "component.removed",
    "component.changed",
];

/// What is guarded at one place: the keys below the target that the guard names, each with whether the document had something there.
pub(super) fn leaves(guard: &Value, at: &str, found: &mut Vec<String>) {
    match guard {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                leaves(value, &pointer::join(at, key), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

/// What the diff found, with where to look.
pub(super) struct Meaning<'m, 'd> {
    pub(super) to: &'m Correspondence<'d>,
    pub(super) differences: &'m Differences,
    /// Whether null that is allowed now and was not is taken back afterwards.
    pub(super) is_never_null: bool,
}

/// Rules about what is taken back then.
const TAKEN_BACK: [&str; 2] = ["schema.null-added", "property.became-optional"];

impl Meaning<'_, '_> {
    /// What changed in meaning at a guarded key of two places that are one. `rest` is the pointer of the key below both.
    pub(super) fn changed(
        &self,
        old: &str,
        new: &str,
        rest: &str,
        update: Option<&Value>,
    ) -> Vec<&Change> {
        let (home, key) = rest.rsplit_once('/').unwrap_or(("", ""));
        let (a, b) = (format!("{old}{home}"), format!("{new}{home}"));
        if key == "parameters" {
            return self.parameters(&a, &b, update.and_then(|update| update.pointer(rest)));
        }
        let key = if rest.is_empty() {
            String::new()
        } else {
            format!("/{key}")
        };
        let (before, after) = (self.nodes(self.to.old, &a), self.nodes(self.to.new, &b));
        let stays = |nodes: &[String]| nodes.iter().skip(1).any(|node| component(node).is_some());
        // A reference on both sides: what it refers to is not about this place.
        let far = !(key.is_empty() && stays(&before) && stays(&after));
        let keyed = |nodes: &[String]| -> Vec<String> {
            let nodes = nodes.iter().take(if far { usize::MAX } else { 1 });
            nodes.map(|node| format!("{node}{key}")).collect()
        };
        let (x, y) = (keyed(&before), keyed(&after));
        let said = !key.is_empty() && !key.starts_with("/x-") && !is_container(home);
        let all = self.differences.changes.iter();
        let is_taken_back =
            |change: &Change| self.is_never_null && TAKEN_BACK.contains(&change.rule.id);
        all.filter(|change| !BESIDE.contains(&change.rule.id) && !is_taken_back(change))
            .filter(|change| {
                let is_at = |place: &Option<Place>, keyed: &[String], nodes: &[String]| {
                    place.as_ref().is_some_and(|place| {
                        let inside = keyed
                            .iter()
                            .any(|at| pointer::is_within(&place.pointer, at));
                        // A keyword that is said in another way, or no longer: the schema itself differs.
                        inside || said && nodes.contains(&place.pointer) && is_about(change, &key)
                    })
                };
                let (inside, outside) = (
                    is_at(&change.old, &x, &before),
                    is_at(&change.new, &y, &after),
                );
                match (inside, outside) {
                    (true, true) => true,
                    // Found at another of the places that the old one is.
                    (true, false) => change.new.is_none(),
                    (false, true) => change.old.is_none() || far,
                    (false, false) => false,
                }
            })
            .collect()
    }

    /// Parameters that an update names: other elements of the list are not what it is about.
    fn parameters(&self, old: &str, new: &str, update: Option<&Value>) -> Vec<&Change> {
        let listed = |root: &Value, at: &str, wanted: &(String, String)| {
            let list = root.pointer(at)?.get("parameters")?.as_array()?;
            let index = list
                .iter()
                .position(|one| lists::key(root, one).as_ref() == Some(wanted))?;
            Some(format!("{at}/parameters/{index}"))
        };
        let named = update.and_then(Value::as_array).into_iter().flatten();
        let mut found = Vec::new();
        for wanted in named
            .filter_map(|one| lists::key(self.to.new, one).or_else(|| lists::key(self.to.old, one)))
        {
            let (a, b) = (
                listed(self.to.old, old, &wanted),
                listed(self.to.new, new, &wanted),
            );
            match (a, b) {
                (None, None) => {}
                (Some(a), Some(b)) => found.extend(self.changed(&a, &b, "", None)),
                (a, b) => {
                    let all = self.differences.changes.iter();
                    found.extend(all.filter(|change| {
                        let is = |place: &Option<Place>, at: &Option<String>| {
                            let pair = place.as_ref().zip(at.as_ref());
                            pair.is_some_and(|(place, at)| pointer::is_within(&place.pointer, at))
                        };
                        is(&change.old, &a) || is(&change.new, &b)
                    }));
                }
            }
        }
        found
    }

    fn nodes(&self, root: &Value, at: &str) -> Vec<String> {
        chain(root, at)
    }
}

/// Whether a pointer ends with a map of names, where a key is a member and not a keyword.
fn is_container(home: &str) -> bool {
    [
        "properties",
        "headers",
        "paths",
        "responses",
        "content",
        "schemas",
        "links",
    ]
    .iter()
    .any(|name| home.rsplit('/').next() == Some(name))
}

/// Whether a difference of a whole schema is about one of its keywords.
fn is_about(change: &Change, key: &str) -> bool {
    let key = key.trim_start_matches('/');
    let rule = change.rule.id;
    match key {
        "properties" | "required" => rule.starts_with("property."),
        "type" | "nullable" | "$ref" | "allOf" | "anyOf" | "oneOf" => {
            rule.starts_with("schema.type")
                || rule.starts_with("schema.null")
                || rule.starts_with("schema.alternative")
        }
        "format" => rule.starts_with("schema.format"),
        "enum" | "const" => rule.starts_with("schema.enum") || rule.starts_with("schema.const"),
        "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" => {
            rule.starts_with("schema.bound")
        }
        "additionalProperties" => rule == "schema.closed" || rule == "schema.opened",
        _ => false,
    }
}

/// A guard as the new document has it, except at the keys where that means something else.
pub(super) fn merged(derived: Value, kept: &Value, differing: &[String]) -> Value {
    let mut guard = derived;
    for at in differing {
        let Some(old) = kept.pointer(at) else {
            continue;
        };
        if at.is_empty() {
            return kept.clone();
        }
        let Some((parent, key)) = pointer::split_last(at) else {
            continue;
        };
        put(&mut guard, parent, key, old.clone());
    }
    guard
}

fn put(guard: &mut Value, parent: &str, key: String, value: Value) {
    let mut here = guard;
    for token in pointer::tokens(parent) {
        if !here.is_object() {
            *here = Map::new().into();
        }
        let Some(map) = here.as_object_mut() else {
            return;
        };
        here = map.entry(token).or_insert_with(|| Map::new().into());
    }
    if !here.is_object() {
        *here = Map::new().into();
    }
    if let Some(map) = here.as_object_mut() {
        map.insert(key, value);
    }
}
