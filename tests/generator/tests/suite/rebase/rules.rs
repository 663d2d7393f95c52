//! Every rule of `diff`: an override that guards the old value does not follow silently.

use std::collections::BTreeMap;

use openapi_diff::{Part, RULES};
use openapi_document::source::Source;
use openapi_overrides::{Verdict, judge, rebase};
use serde_json::{Map, Value, json};

use super::alone;
use crate::diff::cases::{self, Case, Frames};

/// Rules about values that no guard can contain alone, with the reason.
const WITHOUT: &[(&str, &str)] = &[
    (
        "docs.changed",
        "words within a guarded value are for people",
    ),
    ("reference.unknown", "both documents say the same"),
];

/// Returns the lowest location that contains every difference of two documents, as a path, with its old value, and the members that
/// differ.
fn guarded<'o>(
    old: &'o Value,
    new: &Value,
    path: String,
) -> (String, &'o Value, Map<String, Value>) {
    if let (Value::Array(a), Value::Array(b)) = (old, new) {
        let differing: Vec<usize> = (0..a.len())
            .filter(|index| a[*index] != b[*index])
            .collect();
        return guarded(
            &a[differing[0]],
            &b[differing[0]],
            format!("{path}[{}]", differing[0]),
        );
    }
    let none = Map::new();
    let (a, b) = (old.as_object().unwrap(), new.as_object().unwrap_or(&none));
    let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
    let differing: Vec<&String> = keys.filter(|key| a.get(*key) != b.get(*key)).collect();
    if let [key] = differing.as_slice()
        && let (Some(x), Some(y)) = (a.get(*key), b.get(*key))
    {
        let inside = match (x, y) {
            (Value::Array(x), Value::Array(y)) => {
                key.as_str() == "parameters" && x.len() == y.len()
            }
            (x, y) => x.is_object() && (y.is_object() || y.is_boolean()),
        };
        if inside {
            return guarded(x, y, format!("{path}['{key}']"));
        }
    }
    let member = |key: &&String| ((*key).clone(), a.get(*key).cloned().unwrap_or_default());
    (path, old, differing.iter().map(member).collect())
}

/// Effects of an override on the location that it guards.
const EFFECTS: [&str; 2] = ["update: {x-rust-type-name: Mine}", "remove: true"];

/// Returns the verdict on an override that guards the differences. `None` if it removes all, or guards no difference.
fn verdict(old: &Value, new: &Value, effect: &str) -> Option<Result<Verdict, String>> {
    let (target, whole, members) = guarded(old, new, "$".to_owned());
    let guard = match effect {
        // An added value is not in the guard of a removal.
        "remove: true" if target == "$" || members.values().all(Value::is_null) => return None,
        "remove: true" => whole.clone(),
        _ => Value::Object(members),
    };
    let action = format!(
        "  - target: {}\n    x-expect: {guard}\n    {effect}\n",
        json!(target)
    );
    let set = alone(&action);
    let source = |value: &Value| Source::parse("openapi.json", value.to_string()).unwrap();
    let (old, new) = (source(old), source(new));
    let before = &judge(&old, &set).all[0];
    assert_eq!(
        before.verdict,
        Verdict::Applied,
        "{action}{:?}",
        before.finding
    );
    let moved = rebase(&old, &new, &set, false).map_err(|stop| format!("{stop:?}"));
    Some(moved.map(|moved| {
        let judged = judge(&new, &moved.set);
        judged
            .all
            .first()
            .map_or(Verdict::Retired, |one| one.verdict)
    }))
}

/// Returns whether an override follows its value: to a path that moved, or into the alternative beside null.
fn is_followed(frame: &str, case: &Case) -> bool {
    frame.ends_with("-3.0") || case.beside.iter().any(|id| id == "operation.added")
}

#[test]
#[ignore = "the gate runs it: it moves overrides over all changes of `diff`"]
fn a_guard_of_what_a_rule_is_about_is_outdated() {
    let frames = Frames::read();
    let mut pairs: Vec<(String, Value, Value)> = Vec::new();
    for (rule, cases) in cases::rules() {
        for case in &cases {
            for (frame, [old, new]) in case.documents(&frames) {
                if !is_followed(frame, case)
                    // A number that is too large for JSON values is in no override.
                    && let (Ok(old), Ok(new)) =
                        (serde_json::from_str(&old), serde_json::from_str(&new))
                {
                    pairs.push((rule.clone(), old, new));
                }
            }
        }
    }
    // A version depends on the other changes.
    let rules = RULES.iter().filter(|rule| rule.part != Part::Version);
    let mut left: BTreeMap<&str, ()> = rules.map(|rule| (rule.id, ())).collect();
    let mut without: BTreeMap<&str, &str> = WITHOUT.iter().copied().collect();
    let mut wrong = Vec::new();
    for (rule, old, new) in pairs {
        let rule = rule.as_str();
        left.remove(rule);
        // A change of a reference's target is not about the referring location.
        let is_named = |text: &str| old.to_string().contains(text);
        if old == new || is_named("nchor") || is_named("$id") {
            without.remove(rule);
            continue;
        }
        for effect in EFFECTS {
            let found = verdict(&old, &new, effect);
            if matches!(
                found,
                None | Some(Ok(Verdict::Outdated | Verdict::Orphaned))
            ) {
                continue;
            }
            without.remove(rule);
            if WITHOUT.iter().all(|(id, _)| *id != rule) {
                let (target, _, members) = guarded(&old, &new, String::new());
                let members = Value::Object(members);
                wrong.push(format!("{rule} {found:?}: {effect} {target} {members}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(without.is_empty(), "outdated in all rows: {without:?}");
    assert!(
        left.is_empty(),
        "rules without a pair of documents: {left:?}"
    );
}
