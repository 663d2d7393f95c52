//! Mistakes in evidence: each has a message with the location and the next step.

mod instances;
#[cfg(feature = "gate")]
mod progenitor;

use openapi_document::finding::DocumentError;

use crate::support::{Workspace, rows};

const DOCUMENT: &str = r#"openapi: 3.0.3
info: {title: Small, version: "1"}
paths:
  /things:
    get:
      operationId: things
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Things'}
components:
  schemas:
    Things:
      type: object
      properties:
        name: {type: string}
        kind: {type: string, enum: [small]}
"#;

const KIND: &str = r#"overlay: 1.1.0
info: {title: Things may be large, version: 1.0.0}
x-override:
  published: Things are small.
  observed: Some are large.
  reference: "1"
  retire-when: Large is published.
  evidence: [evidence/kind.json]
actions:
  - target: $.components.schemas.Things.properties.kind
    x-expect:
      enum: [small]
    update:
      enum: [large]
"#;

const GOOD: &str = r#"{"note": "Made up.", "schema": "Things", "payload": {"kind": "large"}, "published": {"kind": "small"}}"#;

fn workspace(evidence: &str) -> Workspace {
    Workspace::with(DOCUMENT)
        .file("overrides/upstream/kind.yaml", KIND)
        .file("overrides/evidence/kind.json", evidence)
}

/// Returns the first line and the location of each finding of `regen`; empty if it passes.
fn told(workspace: &Workspace) -> Vec<String> {
    let mut out = Vec::new();
    let Err(error) = crate::support::tool::regen(&workspace.layout(), false, &mut out) else {
        return Vec::new();
    };
    assert!(!workspace.exists("generated/src/lib.rs"));
    let stop: DocumentError = error.downcast().unwrap();
    let findings = stop.findings().iter();
    findings
        .map(|finding| {
            assert!(!finding.help.is_empty());
            let notes = finding.notes.join("; ");
            format!(
                "{}#{}: {} [{notes}]",
                finding.file, finding.pointer, finding.message
            )
        })
        .collect()
}

#[test]
fn evidence_that_shows_its_override_passes() {
    assert_eq!(told(&workspace(GOOD)), [""; 0]);
}

#[test]
fn each_mistake_in_a_file_is_a_message() {
    let file = "overrides/evidence/kind.json#";
    for [from, to, message] in rows(
        r#"
"note": "Made up.", "schema" | "schema" | : missing field `note` []
"Made up." | " " | /note: `note` of the evidence does not say what it is built from []
"schema": "Things" | "schema": 1 | /schema: invalid type: integer `1`, expected a string []
"schema": "Things", "payload" | "payload" | : missing field `schema` []
}, "published": {"kind": "small"}} | }} | : missing field `published` []
"payload": {"kind": "large"}, "published" | "published" | : missing field `payload` []
"published" | "publishd": 1, "published" | /publishd: unknown field `publishd`, expected one of `note`, `schema`, `payload`, `published` []
"schema": "Things" | "schema": "Thing" | /schema: the document has no schema `Thing` in its components [did you mean `Things`?]
{"kind": "large"} | {"kind": "huge", "name": 1} | /payload: with all overrides, `Things` is not what the payload shows [/kind: `huge` is an undocumented enum value; /name is not of type string]
{"kind": "small"} | {"kind": "large"} | /published: the published `Things` has another form than `published` [/kind: `large` is an undocumented enum value]
{"kind": "large"} | {"kind": "small", "name": "a"} | /payload: the published `Things` has all that the payload shows, so it is not evidence for `kind` []
}} | } | : EOF while parsing an object at line 1 column 101 []
"#,
    ) {
        assert!(GOOD.contains(from), "{from}");
        let messages = told(&workspace(&GOOD.replacen(from, to, 1)));
        let expected = format!("{file}{message}");
        assert!(messages.contains(&expected), "{expected}: {messages:#?}");
    }
}

#[test]
fn each_mistake_in_the_list_is_a_message() {
    let file = "overrides/upstream/kind.yaml#/x-override";
    for [list, message] in rows(
        r"
[] | : `kind` says that the document is wrong, and shows no evidence []
[evidence/kind.json, evidence/kind.json] | /evidence/1: the evidence overrides/evidence/kind.json is listed twice []
[evidence/lost.json] | /evidence/0: the evidence overrides/evidence/lost.json does not exist []
[kind.json] | /evidence/0: `kind.json` is not an evidence file []
[evidence/../evidence/kind.json] | /evidence/0: `evidence/../evidence/kind.json` is not an evidence file []
[upstream/kind.yaml] | /evidence/0: `upstream/kind.yaml` is not an evidence file []
",
    ) {
        let text = KIND.replace("[evidence/kind.json]", list);
        let workspace = workspace(GOOD).file("overrides/upstream/kind.yaml", &text);
        if list == "[]" {
            std::fs::remove_file(workspace.root().join("overrides/evidence/kind.json")).unwrap();
        }
        assert_eq!(told(&workspace), [format!("{file}{message}")]);
    }
}

#[test]
fn evidence_that_no_override_lists_is_a_message() {
    let workspace = workspace(GOOD).file("overrides/evidence/old.json", GOOD);
    assert_eq!(
        told(&workspace),
        ["overrides/evidence/old.json#: no override lists this evidence []"]
    );
}

#[test]
fn a_payload_of_what_only_words_say_differs_from_the_published_form() {
    let words = KIND
        .replace("properties.kind", "properties.name")
        .replace("      enum: [small]\n", "      description: null\n")
        .replace(
            "      enum: [large]\n",
            "      description: In small letters.\n",
        );
    let evidence = GOOD
        .replace(r#"{"kind": "large"}"#, r#"{"name": "a", "kind": "small"}"#)
        .replace(r#"{"kind": "small"}}"#, r#"{"name": "A"}}"#);
    let workspace = workspace(&evidence).file("overrides/upstream/kind.yaml", &words);
    assert_eq!(told(&workspace), [""; 0]);
    // Evidence that fits the published form, too, proves nothing.
    std::fs::remove_dir_all(workspace.root().join("generated")).unwrap();
    workspace.write(
        "overrides/evidence/kind.json",
        &evidence.replace("\"A\"", "\"a\""),
    );
    assert_eq!(told(&workspace).len(), 1);
}
