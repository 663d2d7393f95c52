//! Random documents: every difference is reported, and nothing stops the tool.

use std::sync::LazyLock;

use openapi_document::pointer;
use openapi_document::source::Source;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{SHOP, compare, document, lines, shop, source};
use crate::support::{random, share};

/// Returns every location below the root.
pub(crate) fn places(document: &Value) -> Vec<String> {
    let mut all = Vec::new();
    pointer::walk(document, "", &mut |at, _| all.push(at.to_owned()));
    all.remove(0);
    all
}

/// Returns whether a change of a location alone has no meaning: the version of the document, a name that the path repeats, a description of
/// bytes as bytes, and the type of an enum value that has it.
fn means_nothing(at: &str) -> bool {
    at == "/openapi"
        || at == "/paths/~1books~1{id}/parameters/0/name"
        || at.ends_with("/properties/cover/type")
        || at.ends_with("/properties/form/oneOf/1/type")
        || at.ends_with("/properties/scans/items")
        || at.ends_with("/properties/scans/items/type")
}

/// Returns another value of the same kind.
pub(crate) fn other(value: &Value) -> Value {
    match value {
        Value::Null => json!("was null"),
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_f64().unwrap() + 1.0),
        Value::String(text) => json!(format!("{text}-other")),
        Value::Array(_) => json!(["other"]),
        Value::Object(_) => json!({"other": 1}),
    }
}

/// Checks that a change of each location is reported.
fn none_is_silent(change: impl Fn(&mut Value, &str)) {
    let shop = shop();
    let mut silent = Vec::new();
    for at in places(shop).into_iter().step_by(share()) {
        let mut changed = shop.clone();
        change(&mut changed, &at);
        let is_told =
            means_nothing(&at) || changed == *shop || !compare(shop, &changed).changes.is_empty();
        silent.extend((!is_told).then_some(at));
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn no_place_changes_silently() {
    none_is_silent(|document, at| {
        let value = document.pointer_mut(at).unwrap();
        *value = other(value);
    });
}

#[test]
fn no_place_is_removed_silently() {
    none_is_silent(|document, at| {
        pointer::remove(document, at).unwrap();
    });
}

#[test]
fn no_place_is_added_to_silently() {
    none_is_silent(|document, at| {
        if let Some(Value::Object(map)) = document.pointer_mut(at) {
            map.insert("unheard-of".to_owned(), json!("value"));
        }
    });
}

#[test]
fn a_document_is_no_different_from_itself() {
    let shop = shop();
    let changes = compare(shop, shop).changes;
    assert!(changes.is_empty(), "{:#?}", lines(&changes));
}

#[test]
fn chains_of_references_and_compositions_of_any_length_are_followed_or_reported() {
    for link in [
        |next: String| json!({"$ref": next}),
        |next: String| json!({"allOf": [{"$ref": next}]}),
        |next: String| json!({"allOf": [{"$ref": next}, {"minLength": 1}]}),
        |next: String| json!({"properties": {"a": {"$ref": next}}}),
        |next: String| json!({"oneOf": [{"$ref": next}, {"type": "integer", "minimum": 3}]}),
        |next: String| json!({"not": {"$ref": next}}),
    ] {
        let build = |end: Value| {
            let mut schemas = serde_json::Map::new();
            for number in 0..2_500 {
                let next = format!("#/components/schemas/S{}", number + 1);
                schemas.insert(format!("S{number}"), link(next));
            }
            schemas.insert("S2500".to_owned(), end);
            document(&json!({
                "paths": {"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}}}},
                "components": {"schemas": schemas},
            }))
        };
        let [old, new] = ["string", "boolean"].map(|kind| build(json!({"type": kind})));
        let changes = compare(&old, &new).changes;
        assert!(!changes.is_empty(), "{}", link("next".to_owned()));
        assert!(compare(&old, &old).changes.is_empty());
    }
}

#[test]
fn circles_of_references_end() {
    let circle = |end: &str| {
        document(&json!({
            "paths": {
                "/a": {"$ref": "#/paths/~1b"},
                "/b": {"$ref": "#/paths/~1a"},
                "/c": {
                    "post": {
                        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
                        "callbacks": {"again": {"url": {"$ref": "#/paths/~1c"}}},
                    },
                },
            },
            "components": {"schemas": {
                "A": {"allOf": [{"$ref": "#/components/schemas/B"}]},
                "B": {"oneOf": [{"$ref": "#/components/schemas/A"}], "description": end},
            }},
        }))
    };
    assert!(compare(&circle("a"), &circle("a")).changes.is_empty());
    let differences = compare(&circle("a"), &circle("b"));
    assert!(!differences.changes.is_empty());
    assert!(
        !differences.findings.is_empty(),
        "a path item that refers only to itself is a finding"
    );
}

pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    const KEYWORDS: &[&str] = &[
        "$ref",
        "allOf",
        "oneOf",
        "anyOf",
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "schema",
        "content",
        "parameters",
        "responses",
        "get",
        "not",
        "mapping",
        "discriminator",
        "nullable",
        "name",
        "in",
    ];
    const TEXTS: &[&str] = &[
        "#/paths",
        "#",
        "#/components/schemas/Book",
        "string",
        "object",
        "path",
        "header",
        "3.0.0",
        "é",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(TEXTS).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((proptest::sample::select(KEYWORDS), inner), 0..4)
                .prop_map(object),
        ]
    })
}

fn object(entries: Vec<(&str, Value)>) -> Value {
    let entries = entries.into_iter();
    entries
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn nonsense() -> impl Strategy<Value = Vec<(Index, Value)>> {
    prop::collection::vec((any::<Index>(), any_value()), 1..4)
}

/// Returns the shop with these values at these locations.
fn with(nonsense: Vec<(Index, Value)>) -> Value {
    let mut other = shop().clone();
    for (at, value) in nonsense {
        let all = places(&other);
        *other.pointer_mut(at.get::<String>(&all)).unwrap() = value;
    }
    other
}

static SHOP_OF_JSON: LazyLock<Source> = LazyLock::new(|| source("shop.json", shop()));

proptest! {
    #![proptest_config(random(256))]

    #[test]
    fn nonsense_at_any_places_stops_nothing(nonsense in nonsense()) {
        let other = with(nonsense);
        compare(shop(), &other);
        compare(&other, shop());
    }

    #[test]
    fn nonsense_at_any_places_is_no_different_from_itself(nonsense in nonsense()) {
        let other = with(nonsense);
        let mut itself = compare(&other, &other).changes;
        // A reference to another document may have changed its meaning.
        itself.retain(|change| change.rule.id != "reference.unknown");
        prop_assert!(itself.is_empty(), "{:#?}", lines(&itself));
    }

    #[test]
    fn arbitrary_text_is_compared_or_refused(text in "\\PC{0,80}", lines in prop::collection::vec("( ){0,4}(openapi|paths|/a|get|\\$ref|-)?(: )?(3.0.0|'#/paths'|&a|\\*a|\\{|\\[)?", 0..12)) {
        for text in [text, lines.join("\n")] {
            if let Ok(other) = Source::parse("any.yaml", text) {
                let _ = openapi_diff::refusal(&other);
                openapi_diff::compare(&SHOP_OF_JSON, &other);
            }
        }
    }
}

#[test]
fn every_place_is_found_in_json_and_in_yaml() {
    let shop = shop();
    let all = places(shop);
    for (name, text) in [
        ("shop.yaml", SHOP.to_owned()),
        ("shop.json", serde_json::to_string_pretty(shop).unwrap()),
        ("dense.json", serde_json::to_string(shop).unwrap()),
    ] {
        let source = Source::parse(name, text).unwrap();
        for at in &all {
            let place = source.place(at).unwrap();
            let before = &source.text[..place.start];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            assert_eq!(source.position(at), Some((line, column)), "{name}{at}");
        }
    }
}
