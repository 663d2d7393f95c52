//! The goals of an override, compared with the document.

use openapi_overlay::{Action, Effect, Selection};
use serde_json::Value;

use crate::load::Override;
use crate::vocabulary::ASSUMED;

/// Returns whether every goal of the file held before it was applied, or applying it changes nothing.
pub(super) fn is_retired(document: &Value, one: &Override) -> bool {
    let goals_hold = one
        .overlay
        .actions
        .iter()
        .all(|action| goal_holds(document, action));
    // A file that replaces a value can be retired although one of its goals does not hold.
    let replaces = one
        .overlay
        .actions
        .iter()
        .any(|action| matches!(action.effect, Effect::Remove));
    goals_hold
        || replaces && {
            let mut after = document.clone();
            let selection = Selection::MustNotBeEmpty;
            openapi_overlay::apply(&mut after, &one.overlay, &one.source, selection).is_ok()
                && same(&after, document)
        }
}

/// Returns whether two values are equal, with lists as sets: appending an existing element changes nothing.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, of_a)| b.get(key).is_some_and(|of_b| same(of_a, of_b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            let within = |some: &[Value], all: &[Value]| {
                some.iter()
                    .all(|one| all.iter().any(|other| same(one, other)))
            };
            within(a, b) && within(b, a)
        }
        (a, b) => a == b,
    }
}

fn goal_holds(document: &Value, action: &Action) -> bool {
    let targets = action.query.query(document).all();
    match &action.effect {
        Effect::Nothing => true,
        Effect::Update(update) => {
            !targets.is_empty() && targets.iter().all(|target| contains(target, update))
        }
        Effect::Remove => targets.is_empty() && parent_exists(document, action),
        Effect::Copy(from) => {
            let sources = from.query(document).all();
            !targets.is_empty()
                && match sources.first() {
                    None => true,
                    Some(source) => targets.iter().all(|target| target == source),
                }
        }
    }
}

pub(super) fn parent_exists(document: &Value, action: &Action) -> bool {
    openapi_overlay::parent(&action.target).is_some_and(|parent| {
        // A document without components of a kind has none that could go.
        let is_kind = parent
            .strip_prefix("$.components.")
            .is_some_and(|kind| kind.chars().all(char::is_alphanumeric));
        is_kind
            || openapi_overlay::parse(parent).is_ok_and(|parent| !parent.query(document).is_empty())
    })
}

/// Returns whether `fragment` is contained in `value`; lists count as sets. What the document says needs no mark that it is assumed.
fn contains(value: &Value, fragment: &Value) -> bool {
    match (value, fragment) {
        (Value::Object(value), Value::Object(fragment)) => fragment
            .iter()
            .filter(|(key, _)| *key != ASSUMED)
            .all(|(key, wanted)| value.get(key).is_some_and(|there| contains(there, wanted))),
        (Value::Array(value), Value::Array(fragment)) => {
            fragment.iter().all(|wanted| value.contains(wanted))
        }
        (Value::Array(value), wanted) => value.contains(wanted),
        (value, fragment) => value == fragment,
    }
}
