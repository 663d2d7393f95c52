//! Guards: the fragment of the document that an action was written against. An object holds if each of its members does, a list if it has
//! the same elements (in the same order where the order has a meaning), and `null` if the place does not exist.

use openapi_document::keywords::{has_order, is_words};
use openapi_document::pointer;
use openapi_overlay::{Action, Effect, nodes};
use serde_json::{Map, Value};

/// One place at which a guard does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Where, below the target of the action.
    pub(super) pointer: String,
    /// The guard.
    pub(super) expected: Value,
    /// The current value.
    pub(super) found: Value,
}

/// Returns where `guard` does not hold for the value at a pointer of the document; empty when it does.
pub(super) fn differences(guard: &Value, document: &Value, target: &str) -> Vec<Difference> {
    let mut differences = Vec::new();
    let key = pointer::split_last(target).map(|(_, key)| key);
    let key = key.as_deref().unwrap_or_default();
    compare(guard, document.pointer(target), key, "", &mut differences);
    differences
}

/// Returns where `guard` does not hold for an absent target.
pub(super) fn without_target(guard: &Value) -> Vec<Difference> {
    let mut differences = Vec::new();
    compare(guard, None, "", "", &mut differences);
    differences
}

/// Returns a guard of an action without the descriptions, which do not matter for a removal.
pub(super) fn about(action: &Action, guard: &Value) -> Value {
    match action.effect {
        Effect::Remove if guard.is_object() => meant(guard),
        _ => guard.clone(),
    }
}

/// Returns whether a guard of an action holds for all targets. `document` is the one that the file is applied to.
pub(crate) fn holds(published: &Value, document: &Value, action: &Action, guard: &Value) -> bool {
    let document = base(published, document, action);
    let guard = about(action, guard);
    let targets = nodes(&action.query, document);
    let mut all = targets.iter();
    !targets.is_empty() && all.all(|target| differences(&guard, document, target).is_empty())
}

/// Compares a guard with the value of a key. `at` is the pointer of the key below the target.
fn compare(
    guard: &Value,
    found: Option<&Value>,
    key: &str,
    at: &str,
    differences: &mut Vec<Difference>,
) {
    let holds = match (guard, found) {
        (Value::Null, None | Some(Value::Null)) => true,
        (Value::Object(guard), Some(Value::Object(found))) => {
            for (key, expected) in guard {
                let at = pointer::join(at, key);
                compare(expected, found.get(key), key, &at, differences);
            }
            true
        }
        (Value::Array(guard), Some(Value::Array(found))) => {
            let guard: Vec<Value> = guard.iter().map(meant).collect();
            let found: Vec<Value> = found.iter().map(meant).collect();
            guard == found || !has_order(key) && same_elements(&guard, &found)
        }
        (guard, found) => found == Some(guard),
    };
    if !holds {
        differences.push(Difference {
            pointer: at.to_owned(),
            expected: guard.clone(),
            found: found.cloned().unwrap_or(Value::Null),
        });
    }
}

/// Returns whether a member is more than documentation. A property may have the name of such a keyword.
pub(crate) fn is_said(key: &str, value: &Value) -> bool {
    !is_words(key) || value.is_object()
}

/// Returns a fragment without descriptions: another description is no other meaning.
pub(crate) fn meant(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let members = map.iter().filter(|(key, value)| is_said(key, value));
            let members = members.map(|(key, value)| (key.clone(), meant(value)));
            members.collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(meant).collect(),
        other => other.clone(),
    }
}

/// Returns whether two lists have the same elements, each equally often.
fn same_elements(a: &[Value], b: &[Value]) -> bool {
    let mut left: Vec<&Value> = b.iter().collect();
    a.len() == b.len()
        && a.iter().all(|one| {
            let found = left.iter().position(|other| *other == one);
            found.map(|index| left.swap_remove(index)).is_some()
        })
}

/// The document that the guard of an action is about: the published one where it has the target, so that overrides do
/// not depend on each other; the document before the file for a target that only an earlier override adds.
pub(super) fn base<'d>(published: &'d Value, document: &'d Value, action: &Action) -> &'d Value {
    if action.query.query(published).is_empty() {
        document
    } else {
        published
    }
}

/// The guard of an action: what its targets have in common of the things that it changes.
/// `document` is the one before the file.
pub fn derive(published: &Value, document: &Value, action: &Action) -> Value {
    let document = base(published, document, action);
    let targets = action.query.query(document).all();
    let guards = targets.into_iter().map(|target| match &action.effect {
        Effect::Update(update) => before(update, target),
        Effect::Copy(from) => from
            .query(document)
            .first()
            .map_or(Value::Null, |source| before(source, target)),
        Effect::Remove | Effect::Nothing => target.clone(),
    });
    guards.reduce(common).unwrap_or(Value::Null)
}

/// Returns the value in `target` at the places that `update` writes.
pub(crate) fn before(update: &Value, target: &Value) -> Value {
    match (update, target) {
        (Value::Object(update), Value::Object(target)) => Value::Object(
            update
                .iter()
                .map(|(key, value)| {
                    let there = target.get(key);
                    let guard = there.map_or(Value::Null, |there| before(value, there));
                    (key.clone(), guard)
                })
                .collect(),
        ),
        (_, target) => target.clone(),
    }
}

fn common(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let mut both = Map::new();
            for (key, of_a) in a {
                match b.get(&key) {
                    Some(of_b) if *of_b == of_a => {
                        both.insert(key, of_a);
                    }
                    Some(of_b) if of_a.is_object() && of_b.is_object() => {
                        both.insert(key, common(of_a, of_b.clone()));
                    }
                    _ => {}
                }
            }
            Value::Object(both)
        }
        (a, b) if a == b => a,
        // They have nothing in common: the guard is that the targets exist.
        _ => Value::Object(Map::new()),
    }
}
