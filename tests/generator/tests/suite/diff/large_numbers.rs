//! Tests of numbers that need more than 64 bits, compared as written.

use openapi_diff::Wire::{self, Breaking, Risky, Safe};
use openapi_document::source::{Reading, Root, Source, bundled};
use serde_json::json;

use super::{in_request, lines};

/// Old and new schema of a request body, the rule of the only change, and its verdict. `None`: nothing changes on the wire.
type Row = (&'static str, &'static str, Option<(&'static str, Wire)>);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (r#"{"type": "integer", "maximum": 18446744073709551615}"#, r#"{"type": "integer", "maximum": 18446744073709551616}"#, Some(("schema.bound-loosened", Safe))),
    (r#"{"type": "integer", "maximum": 18446744073709551617}"#, r#"{"type": "integer", "maximum": 18446744073709551616}"#, Some(("schema.bound-tightened", Breaking))),
    (r#"{"type": "integer", "minimum": -18446744073709551617}"#, r#"{"type": "integer", "exclusiveMinimum": -18446744073709551618}"#, None),
    (r#"{"type": "integer", "maximum": 9007199254740992}"#, r#"{"type": "integer", "maximum": 9007199254740993}"#, Some(("schema.bound-loosened", Safe))),
    (r#"{"type": "number", "maximum": 9007199254740993.5}"#, r#"{"type": "number", "maximum": 9007199254740993.25}"#, Some(("schema.bound-tightened", Breaking))),
    (r#"{"type": "number", "maximum": 1.0e+400}"#, r#"{"type": "number", "maximum": 1.0e+401}"#, Some(("schema.bound-loosened", Safe))),
    (r#"{"type": "number", "maximum": 1.0e+400}"#, r#"{"type": "number", "maximum": 10.0e+399}"#, None),
    (r#"{"type": "number", "maximum": 0.1}"#, r#"{"type": "number", "maximum": 0.10}"#, None),
    (r#"{"type": "number", "maximum": 0.1}"#, r#"{"type": "number", "maximum": 0.10000000000000000001}"#, Some(("schema.bound-loosened", Safe))),
    (r#"{"type": "number", "multipleOf": 0.1}"#, r#"{"type": "number", "multipleOf": 0.10}"#, None),
    (r#"{"type": "integer", "multipleOf": 9007199254740992}"#, r#"{"type": "integer", "multipleOf": 9007199254740993}"#, Some(("schema.multiple-of-changed", Breaking))),
    (r#"{"type": "integer", "const": 18446744073709551616}"#, r#"{"type": "integer", "const": 18446744073709551617}"#, Some(("schema.const-changed", Breaking))),
    (r#"{"type": "integer", "const": 18446744073709551616}"#, r#"{"type": "integer", "const": 18446744073709551616.0}"#, None),
    (r#"{"enum": [1, 18446744073709551616]}"#, r#"{"enum": [18446744073709551616, 1]}"#, None),
    (r#"{"enum": [1, 18446744073709551616]}"#, r#"{"enum": [1, 18446744073709551616, 18446744073709551617]}"#, Some(("schema.enum-value-added", Safe))),
    (r#"{"type": "integer", "default": 18446744073709551616}"#, r#"{"type": "integer", "default": 18446744073709551617}"#, Some(("schema.default-changed", Risky))),
    (r#"{"type": "array", "default": [0.10000000000000000001]}"#, r#"{"type": "array", "default": [0.10000000000000000002]}"#, Some(("schema.default-changed", Risky))),
    (r#"{"enum": ["18446744073709551616"]}"#, r#"{"enum": ["18446744073709551617"]}"#, Some(("schema.const-changed", Breaking))),
];

/// Returns a document as the commands read it, with another file.
fn tolerant(name: &str, text: String, other: Option<(&str, &str)>) -> Source {
    let files = |path: &str| {
        let found = other.filter(|(name, _)| *name == path);
        Ok(found.map(|(_, text)| text.to_owned()))
    };
    bundled(name, text, Reading::Tolerant, &Root::Own, &files).unwrap()
}

/// Returns a document with this schema, as JSON and as YAML.
fn sources(schema: &str) -> [Source; 2] {
    let content = format!(r#"{{"application/json": {{"schema": {schema}}}}}"#);
    let text = format!(
        r#"{{"openapi": "3.1.0", "info": {{"title": "T", "version": "1"}}, "paths": {{"/a": {{"post": {{
            "requestBody": {{"content": {content}}}, "responses": {{"204": {{"description": "Done"}}}}}}}}}}}}"#
    );
    // JSON has no comments.
    [
        ("openapi.json", text.clone()),
        ("openapi.yaml", format!("# YAML\n{text}")),
    ]
    .map(|(name, text)| tolerant(name, text, None))
}

#[test]
fn numbers_beyond_64_bits_are_compared_as_they_are_written() {
    let mut wrong = Vec::new();
    for (old, new, wanted) in ROWS {
        for (old, new) in sources(old).iter().zip(&sources(new)) {
            let mut changes = openapi_diff::compare(old, new).changes;
            changes.retain(|change| change.rule.id != "no-effect");
            let found = changes.first().map(|one| (one.rule.id, one.wire));
            let is_shown = changes.iter().all(|one| !one.message.contains("number\""));
            if found != *wanted || changes.len() > 1 || !is_shown {
                wrong.push(format!(
                    "{}\n{}\n{:#?}",
                    old.text,
                    new.text,
                    lines(&changes)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_number_of_another_file_is_shown_as_it_is_written() {
    let [old, new] = ["18446744073709551616", "18446744073709551617"].map(|most| {
        let part = format!("Count: {{type: integer, maximum: {most}}}");
        let schema = json!({"$ref": "parts/count.yaml#/Count"});
        let document = in_request(&schema).to_string();
        tolerant("openapi.json", document, Some(("parts/count.yaml", &part)))
    });
    let changes = openapi_diff::compare(&old, &new).changes;
    assert_eq!(changes.len(), 1);
    assert_eq!(
        changes[0].what,
        "`maximum` changed from 18446744073709551616 to 18446744073709551617"
    );
}
