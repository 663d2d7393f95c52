//! Targets whose pointers are longer together than any memory: each use of them is refused, and none is taken for an empty selection.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overrides::{Family, Override, OverrideSet, judge, rebase, required};
use serde_json::{Value, json};

const TOO_MANY: usize = 1_000;

/// Returns a document with a long key, and this many members below it.
fn document(members: usize) -> Source {
    let members = (0..members).map(|index| (format!("k{index}"), json!(1)));
    let members: serde_json::Map<String, Value> = members.collect();
    let value = json!({
        "openapi": "3.0.3",
        "info": {"title": "Large", "version": "1"},
        "paths": {},
        "x-large": {"x".repeat(200_000): members},
    });
    Source::parse("api.json", value.to_string()).unwrap()
}

/// Returns a set of one override of all these members.
fn with_action(action: &str) -> OverrideSet {
    let text = format!(
        "overlay: 1.1.0\ninfo: {{title: All, version: 1.0.0}}\nx-override: {{published: p, observed: o, reference: '1', retire-when: r}}\nactions:\n  - target: $['x-large'].*.*\n{action}"
    );
    let source = Source::parse("overrides/assumed/all.yaml", text).unwrap();
    OverrideSet {
        overrides: vec![Override::parse(Family::Assumed, source).unwrap()],
        ..OverrideSet::default()
    }
}

fn places(findings: &[Finding]) -> Vec<(&str, &str)> {
    let places = findings.iter();
    places.map(|one| (one.rule, &*one.pointer)).collect()
}

fn is_refused_at<T>(result: Result<T, DocumentError>, place: &str) -> bool {
    result.is_err_and(|stop| places(stop.findings()) == [("overlay-size", place)])
}

#[test]
fn a_guard_is_not_compared_at_too_many_places() {
    for guard in [1, 2] {
        let set = with_action(&format!("    x-expect: {guard}\n    remove: true\n"));
        let new = document(TOO_MANY);
        let findings = judge(&new, &set).findings();
        assert_eq!(places(&findings), [("overlay-size", "/actions/0/target")]);
    }
}

#[test]
fn an_override_of_too_many_places_does_not_move() {
    let set = with_action("    x-expect: 1\n    remove: true\n");
    for new in [TOO_MANY, 1] {
        let moved = rebase(&document(TOO_MANY), &document(new), &set, true);
        assert!(is_refused_at(moved, "/actions/0/target"));
    }
}

#[test]
fn required_properties_of_too_many_schemas_are_a_finding() {
    let set = with_action("    update: {required: [a]}\n");
    let findings = required(&document(TOO_MANY), &set);
    let sizes = findings.iter().filter(|one| one.rule == "overlay-size");
    assert_eq!(sizes.count(), 1, "{findings:?}");
}
