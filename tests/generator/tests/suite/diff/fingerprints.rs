//! Tests of fingerprints, which identify a change in later runs.

use std::collections::{BTreeMap, BTreeSet};

use openapi_diff::command::{Format, Options};
use serde_json::{Value, json};

use super::command::{PLAIN, committed, new, run};
use super::rules::{DOCUMENTS, OPERATIONS, SCHEMAS};
use super::{called, compare, document, in_response, yaml};

/// Returns the fingerprints of all changes other than documentation, each with its rule and sentence.
fn fingerprints(old: &Value, new: &Value) -> BTreeMap<String, String> {
    let changes = compare(old, new).changes;
    let loud = changes.iter().filter(|change| !change.rule.is_quiet());
    loud.map(|change| {
        let said = format!("{} {}", change.rule.id, change.message);
        (change.fingerprint.clone(), said)
    })
    .collect()
}

const SEARCH: &str = "
parameters:
  - {name: page, in: query, schema: {type: integer, minimum: 1}}
  - {name: limit, in: query, schema: {type: integer, maximum: 100}}
requestBody:
  content:
    application/json:
      schema:
        oneOf:
          - {type: object, required: [isbn, shelf], properties: {isbn: {type: string}, shelf: {type: string}}}
          - {type: string, enum: [all, none, some]}
          - {type: object, required: [title], properties: {title: {type: string, maxLength: 90}}}
responses: {'204': {description: Done}}
";

fn operation(text: &str) -> Value {
    called(&yaml(text))
}

#[test]
fn a_fingerprint_stays_while_other_changes_come_and_go() {
    let tighter = SEARCH.replace("maximum: 100", "maximum: 50");
    let alone = fingerprints(&operation(SEARCH), &operation(&tighter));
    assert_eq!(alone.len(), 1, "{alone:?}");
    let fingerprint = alone.keys().next().unwrap();
    for (from, to) in [
        ("maximum: 50", "maximum: 10"),
        ("minimum: 1", "minimum: 2"),
        (
            "  - {name: page, in: query, schema: {type: integer, minimum: 1}}\n",
            "",
        ),
        (
            "parameters:\n",
            "parameters:\n  - {name: sort, in: query, schema: {type: string}}\n",
        ),
        ("[all, none, some]", "[all]"),
        (
            "responses: {",
            "deprecated: true\nresponses: {'200': {description: Found}, ",
        ),
    ] {
        let more = tighter.replacen(from, to, 1);
        assert_ne!(more, tighter, "{from}");
        let all = fingerprints(&operation(SEARCH), &operation(&more));
        assert!(all.contains_key(fingerprint), "{from}: {alone:?} {all:?}");
    }
    // Changes elsewhere, and another name of the path parameter.
    let mut renamed = operation(&tighter);
    let paths = renamed["paths"].as_object_mut().unwrap();
    let item = paths.shift_remove("/books/{id}").unwrap();
    paths.insert("/books/{isbn}".to_owned(), item);
    paths.insert("/pens".to_owned(), json!({"get": {}}));
    let all = fingerprints(&operation(SEARCH), &renamed);
    assert!(all.contains_key(fingerprint), "{alone:?} {all:?}");
}

#[test]
fn the_order_of_a_list_is_no_part_of_a_fingerprint() {
    let changed = SEARCH
        .replace("maximum: 100", "maximum: 50")
        .replace(", some]", "]")
        .replace("maxLength: 90", "maxLength: 80")
        .replace("required: [isbn, shelf]", "required: [isbn]");
    let expected = fingerprints(&operation(SEARCH), &operation(&changed));
    assert_eq!(expected.len(), 4, "{expected:?}");
    let reversed = |text: &str| {
        let mut value = operation(text);
        reverse(&mut value);
        value
    };
    assert_ne!(reversed(SEARCH), operation(SEARCH));
    for (old, new) in [
        (reversed(SEARCH), operation(&changed)),
        (operation(SEARCH), reversed(&changed)),
        (reversed(SEARCH), reversed(&changed)),
    ] {
        let found = fingerprints(&old, &new);
        assert!(found.keys().eq(expected.keys()), "{expected:#?} {found:#?}");
    }
}

/// Reverses each list of a document.
fn reverse(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.reverse();
            items.iter_mut().for_each(reverse);
        }
        Value::Object(map) => map.values_mut().for_each(reverse),
        _ => {}
    }
}

#[test]
fn changes_of_one_report_have_fingerprints_of_their_own() {
    let holding = |side: fn(&super::rules::Row) -> &'static str| {
        let rows = SCHEMAS.iter().enumerate();
        let properties = rows.map(|(number, row)| (format!("p{number}"), yaml(side(row))));
        let properties: serde_json::Map<String, Value> = properties.collect();
        in_response(&json!({"properties": properties}))
    };
    let mut pairs = vec![(holding(|row| row.1), holding(|row| row.2))];
    let operations = OPERATIONS.iter();
    pairs.extend(operations.map(|row| (called(&yaml(row.1)), called(&yaml(row.2)))));
    let documents = DOCUMENTS.iter();
    pairs.extend(documents.map(|row| (document(&yaml(row.1)), document(&yaml(row.2)))));
    for (old, new) in pairs {
        let changes = compare(&old, &new).changes;
        let all: BTreeSet<&str> = changes.iter().map(|one| one.fingerprint.as_str()).collect();
        assert_eq!(all.len(), changes.len(), "{:#?}", super::lines(&changes));
    }
}

#[test]
fn json_and_sarif_have_the_same_fingerprints() {
    let printed = |format| {
        let options = Options { format, ..PLAIN };
        let text = run(&committed(&new()), &options).unwrap().1;
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let (json, sarif) = (printed(Format::Json), printed(Format::Sarif));
    let changes = json["changes"].as_array().unwrap().iter();
    let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let ours: Vec<&Value> = changes.map(|one| &one["fingerprint"]).collect();
    let theirs: Vec<&Value> = results
        .map(|one| &one["partialFingerprints"]["change/v1"])
        .collect();
    assert!(!ours.is_empty());
    assert_eq!(ours, theirs);
    for one in ours {
        let digits = one.as_str().unwrap();
        assert!(digits.len() == 16 && digits.chars().all(|c| c.is_ascii_hexdigit()));
    }
}
