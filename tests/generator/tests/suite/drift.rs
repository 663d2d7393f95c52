//! `openapi-crate overrides from-drift`: turns a line of drift into an override that asks only for facts that a person knows.

use openapi_crate::commands::overrides::{DriftOptions, from_drift};

use crate::support::Workspace;

const DOCUMENT: &str = r#"openapi: 3.0.3
info: {title: Small, version: "1"}
paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Things'}
  /others:
    get:
      operationId: listOthers
      responses:
        '200':
          description: Others.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Others'}
components:
  schemas:
    Things:
      type: object
      required: [data]
      properties:
        data:
          type: array
          items: {$ref: '#/components/schemas/Thing'}
        total: {type: integer}
    Others:
      type: object
      required: [data]
      properties:
        data: {type: array, items: {$ref: '#/components/schemas/Other'}}
    Other: {type: object, properties: {name: {type: string}}}
    Thing:
      type: object
      properties:
        name: {type: string}
        kind: {$ref: '#/components/schemas/Kind'}
        size:
          type: string
          format: date
          description: Its size.
    Kind: {type: string, enum: [small]}
"#;

fn workspace() -> Workspace {
    Workspace::with(DOCUMENT)
}

fn line(line: &str) -> DriftOptions {
    DriftOptions {
        line: Some(line.to_owned()),
        ..DriftOptions::default()
    }
}

/// Runs the command; returns its output, or the error.
fn run(workspace: &Workspace, options: &DriftOptions) -> Result<String, String> {
    let mut out = Vec::new();
    match from_drift(&workspace.layout(), options, &mut out) {
        Ok(()) => Ok(String::from_utf8(out).unwrap()),
        Err(error) => Err(error.to_string()),
    }
}

/// Fills in the values that the output asks for.
fn completed(workspace: &Workspace, id: &str) {
    for (path, empty, text) in [
        (
            format!("overrides/upstream/{id}.yaml"),
            "reference: ''",
            "reference: '1'",
        ),
        (
            format!("overrides/evidence/{id}.json"),
            "\"note\": \"\"",
            "\"note\": \"Made up.\"",
        ),
    ] {
        let before = workspace.read(&path);
        assert!(before.contains(empty), "{before}");
        workspace.write(&path, &before.replace(empty, text));
    }
}

#[test]
fn an_undocumented_property_is_an_override_that_asks_for_its_reference() {
    let workspace = workspace();
    let shown = run(
        &workspace,
        &line("listThings /data/0/colour: an undocumented property of type string (20 times)"),
    )
    .unwrap();
    let path = "overrides/upstream/thing-colour.yaml";
    insta::assert_snapshot!(format!(
        "{shown}\n{}\n{}",
        workspace.read(path),
        workspace.read("overrides/evidence/thing-colour.json")
    ));
    // Only empty values are asked for.
    let mut out = Vec::new();
    let error = crate::support::tool::regen(&workspace.layout(), false, &mut out).unwrap_err();
    assert!(
        error.to_string().contains("`note` of the evidence"),
        "{error}"
    );
    completed(&workspace, "thing-colour");
    assert!(workspace.regen(false).0);
    assert!(
        workspace
            .read("generated/src/types.rs")
            .contains("pub colour: Option<String>")
    );
}

#[test]
fn an_enum_value_and_a_type_are_overrides_that_apply() {
    for (text, id, emitted) in [
        (
            "listThings /data/3/kind: `large`, an undocumented enum value",
            "kind-large",
            "Large",
        ),
        (
            "listThings /data/0/size: of type integer, documented as string",
            "thing-size-type",
            "pub size: Option<i64>",
        ),
    ] {
        let workspace = workspace();
        let shown = run(&workspace, &line(text)).unwrap();
        assert!(
            shown.contains(&format!("Wrote overrides/upstream/{id}.yaml")),
            "{shown}"
        );
        completed(&workspace, id);
        assert!(workspace.regen(false).0);
        let types = workspace.read("generated/src/types.rs");
        assert!(types.contains(emitted), "{emitted}: {types}");
    }
}

#[test]
fn the_evidence_has_the_published_form_whatever_overrides_changed() {
    let workspace = workspace().file(
        "overrides/assumed/kinds.yaml",
        r#"overlay: 1.1.0
info: {title: Kinds are capitalised, version: 1.0.0}
x-override: {published: Small letters., observed: Capitals., reference: "1", retire-when: Capitals are published.}
actions:
  - target: $.components.schemas.Kind.enum
    x-expect: [small]
    remove: true
  - target: $.components.schemas.Kind
    x-expect: {enum: [small]}
    update: {enum: [Small]}
"#,
    );
    run(
        &workspace,
        &line("listThings /data/0/kind: `Large`, an undocumented enum value"),
    )
    .unwrap();
    let evidence = workspace.read("overrides/evidence/kind-large.json");
    assert!(evidence.contains("\"published\": \"small\""), "{evidence}");
}

#[test]
fn without_an_operation_the_one_that_it_can_be_is_taken() {
    let workspace = workspace();
    let total = run(
        &workspace,
        &line("/total: of type string, documented as integer"),
    );
    assert!(total.unwrap().contains("things-total-type.yaml"));
    let several = run(
        &workspace,
        &line("/data/0/colour: an undocumented property"),
    )
    .unwrap_err();
    assert!(
        several.contains("several responses have /data/0/colour: those of listOthers, listThings"),
        "{several}"
    );
    let named = DriftOptions {
        operation: Some("listOthers".to_owned()),
        ..line("/data/0/colour: an undocumented property")
    };
    assert!(
        run(&workspace, &named)
            .unwrap()
            .contains("other-colour.yaml")
    );
}

#[test]
fn a_report_is_many_lines_and_each_fact_is_one_override() {
    let workspace = workspace();
    let text = "drift of today\n\
                listThings /data/0/colour: an undocumented property of type string\n\
                listThings /data/1/colour: an undocumented property of type string\n\
                listOthers /data/0/url: `url`, documented as `name`\n\
                listOthers /data/0/age: an undocumented property of type array\n";
    let report = DriftOptions {
        report: Some(("drift.txt".to_owned(), text.to_owned())),
        ..DriftOptions::default()
    };
    let shown = run(&workspace, &report).unwrap();
    assert_eq!(shown.matches("Wrote ").count(), 4, "{shown}");
    assert!(
        shown.contains("1 lines of drift.txt that are not drift"),
        "{shown}"
    );
    assert!(
        shown.contains("nothing to write: `url` is read as `name`"),
        "{shown}"
    );
    for id in ["thing-colour", "other-age"] {
        completed(&workspace, id);
    }
    assert!(workspace.regen(false).0);
}

#[test]
fn what_cannot_be_an_override_is_said_and_nothing_is_written() {
    let workspace = workspace().file(
        "overrides/assumed/extra.yaml",
        r#"overlay: 1.1.0
info: {title: Others have an extra, version: 1.0.0}
x-override: {published: None., observed: One., reference: "1", retire-when: It is published.}
actions:
  - target: $.components.schemas.Other.properties
    x-expect: {extra: null}
    update:
      extra: {type: object, properties: {a: {type: string}}}
"#,
    );
    let before = workspace.files();
    for (text, message) in [
        ("hello", "`hello` is not a line of drift"),
        (
            "listThing /a: an undocumented property",
            "no operation `listThing`: did you mean `listThings`?",
        ),
        (
            "listThings /data/0/name: an undocumented property",
            "no documented response has a value at /data/0/name that could differ in this way",
        ),
        (
            "listThings /data/0/kind: `small`, an undocumented enum value",
            "that could differ in this way",
        ),
        (
            "listThings the body: of type array, documented as object",
            "the whole body differs",
        ),
        (
            "listThings /data/0/kind: `lar…`, an undocumented enum value",
            "was shortened when it was printed",
        ),
        (
            "listOthers /data/0/extra/b: an undocumented property of type string",
            "the published document has no #/components/schemas/Other/properties/extra: this file brings it",
        ),
    ] {
        let error = run(&workspace, &line(text)).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert_eq!(workspace.files(), before);
    run(
        &workspace,
        &line("listThings /data/0/x: an undocumented property"),
    )
    .unwrap();
    let again = run(
        &workspace,
        &line("listThings /data/0/x: an undocumented property"),
    );
    assert!(again.unwrap_err().contains("the line is obsolete"));
    let taken = DriftOptions {
        id: Some("thing-x".to_owned()),
        ..line("listThings /data/0/y: an undocumented property")
    };
    assert!(
        run(&workspace, &taken)
            .unwrap_err()
            .contains("thing-x.yaml exists")
    );
}
