//! Every rule of `diff`: an override that guards what the old document says there does not follow in silence.

use std::collections::BTreeMap;

use openapi_diff::{Part, RULES};
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Verdict, judge};
use openapi_rebase::rebase;
use serde_json::{Map, Value, json};

use super::file;
use crate::diff::rules::{DOCUMENTS, OPERATIONS, OVERLAP, SCHEMAS};
use crate::diff::{called, document, in_response, yaml};
use crate::support::Workspace;

/// Rules about nothing that a guard can stand on alone, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("no-effect", "the messages are as before"),
    (
        "docs.changed",
        "words: a note shows those that the override replaces",
    ),
    ("operation.id-changed", "the id is in no message"),
    ("link.changed", "a link is in no message"),
    ("component.added", "no operation uses it"),
    ("component.removed", "no operation uses it"),
    ("reference.unknown", "both documents say the same"),
    (
        "reference.broken",
        "a reference that leads nowhere stops the generator itself",
    ),
    (
        "parameter.added",
        "a guarded list is about the parameters that the update names",
    ),
    (
        "parameter.added-required",
        "a guarded list is about the parameters that the update names",
    ),
    (
        "parameter.removed",
        "a guarded list is about the parameters that the update names",
    ),
];

/// The lowest place that holds every difference of two documents, as a path, with the members that differ as the old document has them.
fn guarded(old: &Value, new: &Value, path: String) -> (String, Map<String, Value>) {
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
    (path, differing.iter().map(member).collect())
}

/// The verdict of an override that guards what differs, after the new document.
fn verdict(old: &Value, new: &Value) -> Result<Verdict, String> {
    let (target, guard) = guarded(old, new, "$".to_owned());
    let action = format!(
        "  - target: {}\n    x-expect: {}\n    update: {{x-rust-type-name: Mine}}\n",
        json!(target),
        Value::Object(guard),
    );
    let workspace = Workspace::with("").file("overrides/assumed/one.yaml", &file(&action));
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let source = |value: &Value| Source::parse("openapi.json", value.to_string()).unwrap();
    let (old, new) = (source(old), source(new));
    let before = &judge(&old, &set).all[0];
    assert_eq!(
        before.verdict,
        Verdict::Applied,
        "{action}{:?}",
        before.finding
    );
    let rebase = rebase(&old, &new, &set, false).map_err(|stop| format!("{stop:?}"))?;
    Ok(judge(&new, &rebase.set)
        .all
        .first()
        .map_or(Verdict::Retired, |one| one.verdict))
}

#[test]
fn a_guard_of_what_a_rule_is_about_is_outdated() {
    let schemas = SCHEMAS
        .iter()
        .map(|(rule, old, new, ..)| (*rule, in_response(&yaml(old)), in_response(&yaml(new))));
    let operations = OPERATIONS
        .iter()
        .map(|(rule, old, new, ..)| (*rule, called(&yaml(old)), called(&yaml(new))));
    let documents = DOCUMENTS
        .iter()
        .map(|(rule, old, new, _)| (*rule, document(&yaml(old)), document(&yaml(new))));
    let overlap = OVERLAP.map(|text| in_response(&yaml(text)));
    let [old, new] = overlap;
    let overlap = [("schema.alternatives-overlap", old, new)];
    // A version is about the other changes.
    let rules = RULES.iter().filter(|rule| rule.part != Part::Version);
    let mut left: BTreeMap<&str, ()> = rules.map(|rule| (rule.id, ())).collect();
    let mut without: BTreeMap<&str, &str> = WITHOUT.iter().copied().collect();
    let mut wrong = Vec::new();
    for (rule, old, new) in schemas.chain(operations).chain(documents).chain(overlap) {
        left.remove(rule);
        // What a reference leads to is not about the place that refers.
        let is_named = |text: &str| old.to_string().contains(text);
        if old == new || is_named("nchor") || is_named("$id") {
            without.remove(rule);
            continue;
        }
        let found = verdict(&old, &new);
        if WITHOUT.iter().any(|(id, _)| *id == rule) {
            if found != Ok(Verdict::Outdated) {
                without.remove(rule);
            }
        } else if found != Ok(Verdict::Outdated) {
            let (target, guard) = guarded(&old, &new, String::new());
            wrong.push(format!(
                "{rule} {found:?}: {target} {}",
                Value::Object(guard)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        left.is_empty(),
        "rules without a pair of documents: {left:?}"
    );
}
