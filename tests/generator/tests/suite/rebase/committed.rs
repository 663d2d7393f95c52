//! The committed overrides, applied to documents that are equivalent to the committed one.

use std::collections::HashSet;
use std::sync::OnceLock;

use client_generator::surface::{self, Bump, Surface};
use openapi_document::source::Source;
use openapi_overlay::Effect;
use openapi_overrides::{Order, Override, OverrideReport, Rebase, Verdict, judge, rebase};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

use crate::diff::rewrites::{everywhere, rewrite};
use crate::support::Inputs;

const PARAMETER: u8 = 100;
pub(crate) const PREFIX: u8 = 101;
pub(crate) const SLASH: u8 = 102;

/// Tests each kind of rewrite that preserves a document's meaning and that overrides follow: those of the diff, and those of paths.
macro_rules! kinds {
    ($($name:ident $kind:expr;)*) => {
        const KINDS: &[u8] = &[$($kind),*];

        mod each_rewrite_leaves_nothing_to_do {
            use super::*;

            $(
                #[test]
                #[ignore = "each takes seconds: the gate tries all kinds, and random ones one after the other are always tried"]
                fn $name() {
                    leaves_nothing_to_do($kind);
                }
            )*
        }
    };
}

kinds! {
    a_reference_written_out 0;
    a_component_of_its_own 1;
    a_component_of_another_name 2;
    a_wrapper 3;
    another_null 5;
    another_bound_and_only_value 6;
    another_order 7;
    a_parameter_that_is_a_component 9;
    an_anchor 11;
    another_version 12;
    a_parameter_of_a_path PARAMETER;
    a_prefix_of_paths PREFIX;
    a_slash_behind_paths SLASH;
}

pub(crate) fn rewritten(document: &mut Value, kind: u8, number: usize) -> Option<()> {
    let rename: Box<dyn Fn(&str) -> String> = match kind {
        PARAMETER => {
            let rename = |value: &mut Value| {
                if value.get("in").is_some_and(|place| place == "path") {
                    value["name"] = "id".into();
                }
            };
            everywhere(document, &|_, value| rename(value), "");
            Box::new(|path| path.replace("{request_id}", "{id}"))
        }
        PREFIX => Box::new(move |path| {
            let rest = path.split('/').skip(2).collect::<Vec<_>>().join("/");
            format!("/v{}/{rest}", number % 7 + 1)
        }),
        SLASH => Box::new(|path| format!("{}/", path.trim_end_matches('/'))),
        _ => return rewrite(document, kind, number),
    };
    let Value::Object(paths) = document["paths"].take() else {
        return None;
    };
    let paths: Map<String, Value> = paths
        .into_iter()
        .map(|(path, item)| (rename(&path), item))
        .collect();
    document["paths"] = paths.into();
    Some(())
}

/// Applies the first rewrite, from this number on, that fits the document.
fn rewrite_from(document: &mut Value, kind: u8, number: usize) {
    let first = (number..number + 1000).find_map(|number| {
        let mut new = document.clone();
        rewritten(&mut new, kind, number).map(|()| new)
    });
    *document = first.expect("a place for the rewrite");
}

pub(crate) fn moved(inputs: &'static Inputs, document: &Value) -> (Source, Rebase) {
    // In the order in place, as an update writes it.
    let given = inputs.published.with_value(document.clone());
    let value = Order::between(&inputs.published, &given).whole(document);
    let text = serde_yaml::to_string(&value).unwrap();
    let new = Source::parse("openapi.yaml", text).unwrap();
    let rebase = rebase(&inputs.published, &new, &inputs.overrides, true).unwrap();
    (new, rebase)
}

/// Returns what a rewrite leaves to do: verdicts other than applied, and differences of the reconciled documents.
fn left(inputs: &'static Inputs, document: &Value) -> Vec<String> {
    let (new, rebase) = moved(inputs, document);
    let judged = judge(&new, &rebase.set);
    let verdicts = judged
        .all
        .iter()
        .filter(|one| one.verdict != Verdict::Applied);
    let mut left: Vec<String> = verdicts
        .map(|one| format!("{} is {}", one.applied.by.id, one.verdict))
        .collect();
    left.extend(
        rebase
            .retired
            .iter()
            .map(|one| format!("{} is retired: {}", one.by.id, one.reason)),
    );
    left.extend(rebase.decisions.iter().map(|one| one.reason.clone()));
    let after = new.with_value(judged.document);
    let before = &inputs.reconciled().source;
    let compared = openapi_diff::compare(before, &unmoved(before, &after));
    // Inlining moves documentation beside a reference, links name path parameters, and an unused component is not a
    // difference.
    let is_aside = |rule: &str| {
        matches!(rule, "docs.changed" | "extension.changed" | "link.changed")
            || rule.starts_with("component.")
    };
    let differences = compared
        .changes
        .iter()
        .filter(|change| !is_aside(change.rule.id));
    left.extend(
        differences
            .map(|change| format!("{} {}: {}", change.rule.id, change.owner, change.message)),
    );
    left.extend(lost(inputs, &after));
    left
}

/// Returns the document with the paths of the old one. The names of path parameters stay.
fn unmoved(old: &Source, new: &Source) -> Source {
    let mut value = new.value.clone();
    let paths = value["paths"].as_object_mut().unwrap();
    for one in openapi_diff::moves(&old.value, &new.value) {
        let mut names = one.new.split('/').filter(|step| step.starts_with('{'));
        let steps = one.old.split('/').map(|step| {
            if step.starts_with('{') {
                names.next().unwrap_or(step)
            } else {
                step
            }
        });
        let path = steps.collect::<Vec<_>>().join("/");
        let item = paths.shift_remove(&one.new).unwrap();
        paths.insert(path, item);
    }
    new.with_value(value)
}

/// Returns the differences in callers' Rust.
fn lost(inputs: &'static Inputs, after: &Source) -> Vec<String> {
    static BEFORE: OnceLock<Surface> = OnceLock::new();
    let surface = |source: &Source| surface::read(source, &OverrideReport::default()).unwrap();
    let before = BEFORE.get_or_init(|| surface(&inputs.reconciled().source));
    let differences = surface::compare(before, &surface(after));
    // An extracted component may have its own type.
    let is_extracted = |sentence: &str| sentence.contains("Rewritten");
    let lost = differences
        .iter()
        .filter(|one| one.bump > Bump::Patch && !is_extracted(&one.sentence));
    lost.map(|one| one.sentence.clone()).collect()
}

/// Tests a rewrite at several locations. Rewrites with an equal result are one case.
fn leaves_nothing_to_do(kind: u8) {
    let inputs = Inputs::committed();
    let mut known = HashSet::new();
    for number in [58, 113, 331, 792] {
        let mut document = inputs.published.value.clone();
        let fits = rewritten(&mut document, kind, number).is_some();
        if fits && known.insert(document.to_string()) {
            assert_eq!(
                left(inputs, &document),
                Vec::<String>::new(),
                "kind {kind}, number {number}"
            );
        }
    }
}

/// Rewrites that once left something to do, by kind and number: a type of Rust beside a reference, also behind two wrappers; a component that
/// one place refers to by its anchor; a text of a body, and a list of records, that is a component now.
const FOUND: [&[(u8, usize)]; 8] = [
    &[(1, 970)],
    &[(2, 346), (1, 143), (3, 907)],
    &[(11, 5)],
    &[(11, 7)],
    &[(11, 459)],
    &[(11, 684)],
    &[(1, 857)],
    &[(1, 566)],
];

#[test]
#[ignore = "takes seconds: the gate tries it"]
fn what_once_left_something_to_do_leaves_nothing() {
    let inputs = Inputs::committed();
    for rewrites in FOUND {
        let mut document = inputs.published.value.clone();
        for (kind, number) in rewrites {
            rewrite_from(&mut document, *kind, *number);
        }
        assert_eq!(left(inputs, &document), [""; 0], "{rewrites:?}");
    }
}

#[test]
fn a_null_beside_a_reference_is_null_where_it_is_the_only_alternative() {
    let inputs = Inputs::committed();
    let mut document = inputs.published.value.clone();
    let alternatives = |_: &str, value: &mut Value| {
        let Some(schema) = value.as_object_mut() else {
            return;
        };
        if schema.get("enum") == Some(&json!([null])) {
            schema.shift_remove("enum");
            schema.insert("oneOf".to_owned(), json!([{"const": null}]));
        }
    };
    everywhere(&mut document, &alternatives, "");
    assert_ne!(document, inputs.published.value, "no place has null alone");
    assert_eq!(left(inputs, &document), Vec::<String>::new());
}

/// The list is removed before other values are listed: beside the old ones, these would be no values at all.
#[test]
fn values_that_are_alternatives_now_are_not_taken_as_removed() {
    let inputs = Inputs::committed();
    for one in &inputs.overrides.overrides {
        let Some(schema) = enumeration_without_values(inputs, one) else {
            continue;
        };
        let mut document = inputs.published.value.clone();
        let schema = document.pointer_mut(&schema).unwrap();
        let values = schema["enum"].as_array().unwrap().iter();
        let alternatives: Vec<Value> = values.map(|value| json!({"const": value})).collect();
        *schema = json!({"type": "string", "oneOf": alternatives});
        let left = left(inputs, &document);
        assert!(
            left.iter().any(|line| line.starts_with(&one.id)),
            "{}: {left:?}",
            one.id
        );
    }
}

/// Returns the published schema of which an override removes the listed values.
fn enumeration_without_values(inputs: &'static Inputs, one: &Override) -> Option<String> {
    let document = &inputs.published.value;
    let actions = one.overlay.actions.iter();
    let mut removals = actions.filter(|action| matches!(action.effect, Effect::Remove));
    removals.find_map(|action| {
        let places = openapi_overlay::nodes(&action.query, document);
        let place = places.first()?.strip_suffix("/enum")?;
        Some(place.to_owned())
    })
}

/// Returns the settings of a test whose cases are the same every time.
fn cases(seed: u64, cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        cases,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(1, 1))]

    #[test]
    fn rewrites_one_after_the_other_leave_nothing_to_do(steps in steps()) {
        prop_assert_eq!(left_by(steps), Vec::<String>::new());
    }
}

proptest! {
    #![proptest_config(cases(2, 11))]

    #[test]
    #[ignore = "more of the same"]
    fn more_rewrites_one_after_the_other_leave_nothing_to_do(steps in steps()) {
        prop_assert_eq!(left_by(steps), Vec::<String>::new());
    }
}

fn steps() -> impl Strategy<Value = Vec<(u8, usize)>> {
    let kinds = prop::sample::select(KINDS);
    prop::collection::vec((kinds, 0usize..1000), 1..8)
}

/// Returns what several successive rewrites leave to do.
fn left_by(steps: Vec<(u8, usize)>) -> Vec<String> {
    let inputs = Inputs::committed();
    let mut document = inputs.published.value.clone();
    for (kind, number) in steps {
        let before = document.clone();
        if rewritten(&mut document, kind, number).is_none() {
            document = before;
        }
    }
    left(inputs, &document)
}

/// An override that adds links guards their absence. The links of the document may lead elsewhere, so a person compares them.
#[test]
#[ignore = "takes seconds: the gate tries it"]
fn links_that_the_document_adds_stop_the_override_that_adds_links() {
    let inputs = Inputs::committed();
    let mut found = 0;
    for one in &inputs.overrides.overrides {
        for action in &one.overlay.actions {
            let targets = openapi_overlay::nodes(&action.query, &inputs.published.value);
            if action.guard != Some(json!({"links": null})) || targets.is_empty() {
                continue;
            }
            found += 1;
            let mut document = inputs.published.value.clone();
            for at in targets {
                let response = document.pointer_mut(&at).unwrap();
                response["links"] = json!({"other": {"operationId": "other", "parameters": {"a": "$response.body#/b"}}});
            }
            let (new, rebase) = moved(inputs, &document);
            let judged = judge(&new, &rebase.set);
            let own = judged.all.iter().find(|own| own.applied.by.id == one.id);
            assert_eq!(own.unwrap().verdict, Verdict::Outdated, "{}", action.target);
        }
    }
    assert!(found > 0, "no override adds links");
}
