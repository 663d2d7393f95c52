//! Every rule of `diff`: an override that guards the old value does not follow silently.

use std::collections::BTreeMap;

use openapi_diff::{Part, RULES};
use openapi_document::source::Source;
use openapi_overrides::{Family, Override, OverrideSet, Verdict, judge, rebase};
use serde_json::{Map, Value, json};

use super::file;
use crate::diff::rules::{DOCUMENTS, OPERATIONS, OVERLAP, Row, SCHEMAS};
use crate::diff::{as_webhook, called, document, in_request, in_response, yaml};

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
    let path = "overrides/assumed/one.yaml";
    let one = Source::parse(path, file(&action)).unwrap();
    let set = OverrideSet {
        overrides: vec![Override::parse(Family::Assumed, one).unwrap()],
        ..OverrideSet::default()
    };
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

#[test]
fn a_guard_of_what_a_rule_is_about_is_outdated() {
    let both = |rows: &'static [Row], directions: [fn(&Value) -> Value; 2]| {
        rows.iter().flat_map(move |(rule, old, new, ..)| {
            directions.map(|within| (*rule, within(&yaml(old)), within(&yaml(new))))
        })
    };
    let schemas = both(SCHEMAS, [in_request, in_response]);
    let operations = both(OPERATIONS, [called, as_webhook]);
    let documents = DOCUMENTS
        .iter()
        .map(|(rule, old, new, _)| (*rule, document(&yaml(old)), document(&yaml(new))));
    let overlap = OVERLAP.map(|text| in_response(&yaml(text)));
    let [old, new] = overlap;
    let overlap = [("schema.alternatives-overlap", old, new)];
    // A version depends on the other changes.
    let rules = RULES.iter().filter(|rule| rule.part != Part::Version);
    let mut left: BTreeMap<&str, ()> = rules.map(|rule| (rule.id, ())).collect();
    let mut without: BTreeMap<&str, &str> = WITHOUT.iter().copied().collect();
    let mut wrong = Vec::new();
    for (rule, old, new) in schemas.chain(operations).chain(documents).chain(overlap) {
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
