//! `overrides rebase` deletes what the new document includes: the override, and the evidence that only it names.

use openapi_crate::commands::overrides::{self as commands, RebaseOptions};
use openapi_document::source::Source;
use openapi_overrides::{Judgement, Verdict, judge, rebase};

use super::{DOCUMENT, alone, file};
use crate::support::Workspace;

/// A correction with separate evidence, and with some that another override names too.
const CORRECTION: &str = "  - target: $.components.schemas.Thing.properties.kind
    x-expect: {$ref: '#/components/schemas/Kind'}
    remove: true
";
const OTHER: &str = "  - target: $.components.schemas.Thing.properties.name
    x-expect: {format: null}
    update: {format: date}
";

const OWN: [&str; 2] = [
    "overrides/upstream/sort.yaml",
    "overrides/evidence/sort.json",
];
const KEPT: [&str; 2] = [
    "overrides/assumed/other.yaml",
    "overrides/evidence/shared.json",
];

fn workspace() -> Workspace {
    let with = |actions: &str, evidence: &str| {
        file(actions).replace(
            "retire-when: Never.",
            &format!("retire-when: Never., evidence: [{evidence}]"),
        )
    };
    let payload = r#"{"note": "Made up.", "schema": "Thing", "payload": {"sort": "a"}, "published": {"kind": "a"}}"#;
    let mut workspace = Workspace::with(DOCUMENT)
        .file(
            OWN[0],
            &with(CORRECTION, "evidence/sort.json, evidence/shared.json"),
        )
        .file(KEPT[0], &with(OTHER, "evidence/shared.json"))
        .file(
            "new.yaml",
            &DOCUMENT.replace("        kind: {$ref: '#/components/schemas/Kind'}\n", ""),
        );
    for path in [OWN[1], KEPT[1]] {
        workspace = workspace.file(path, payload);
    }
    workspace
}

fn rebased(workspace: &Workspace, dry_run: bool) -> String {
    rebased_to(workspace, "new.yaml", dry_run)
}

fn rebased_to(workspace: &Workspace, document: &str, dry_run: bool) -> String {
    let options = RebaseOptions {
        document: document.to_owned(),
        accept: true,
        dry_run,
        verbose: false,
    };
    let mut out = Vec::new();
    commands::rebase(&workspace.layout(), &options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn rebase_deletes_a_retired_override_with_what_only_it_has() {
    let workspace = workspace();
    let screen = rebased(&workspace, false);
    assert!(
        screen.contains("Retired overrides/upstream/sort.yaml (the document now says it)"),
        "{screen}"
    );
    for path in OWN {
        assert!(screen.contains(&format!("Deleted {path}\n")), "{screen}");
        assert!(!workspace.exists(path), "{path}");
    }
    for path in KEPT {
        assert!(workspace.exists(path), "{path}");
    }
}

#[test]
fn a_dry_run_of_rebase_deletes_nothing() {
    let workspace = workspace();
    let screen = rebased(&workspace, true);
    for path in OWN {
        let line = format!("Would delete {path}\n");
        assert!(screen.contains(&line), "{screen}");
    }
    for path in OWN.iter().chain(&KEPT) {
        assert!(workspace.exists(path), "{path}");
    }
}

#[test]
fn the_document_to_follow_may_stand_at_a_revision() {
    let workspace = workspace();
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["add", "."]);
    let id = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    workspace.git(&[&id[..], &["commit", "--quiet", "--message", "First"]].concat());
    std::fs::remove_file(workspace.root().join("new.yaml")).unwrap();
    rebased_to(&workspace, "HEAD:new.yaml", false);
    assert!(!workspace.exists(OWN[0]));
}

#[test]
fn what_is_still_said_in_another_schema_of_the_value_needs_a_person() {
    let source = |cat: &str, schema: &str| {
        let text = format!(
            "openapi: 3.1.0
info: {{title: T, version: '1'}}
paths:
  /a:
    get:
      operationId: a
      responses: {{'200': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Box'}}}}}}}}}}
components:
  schemas:
    {cat}: {{type: object, required: [kind, lives], properties: {{kind: {{type: string}}, lives: {{type: integer}}}}}}
    Dog: {{type: object, required: [kind, bark], properties: {{kind: {{type: string}}, bark: {{type: string}}}}}}
    Box: {schema}
"
        );
        Source::parse("openapi.yaml", text).unwrap()
    };
    let removed = |key: &str, value: &str| {
        format!(
            "  - target: $.components.schemas.Box.{key}\n    x-expect: {value}\n    remove: true\n"
        )
    };
    let guarded = |guard: &str| {
        format!(
            "  - target: $.components.schemas.Box\n    x-expect: {guard}\n    update: {{x-rust-name: Case}}\n"
        )
    };
    let pets = |cat: &str| {
        format!(
            "{{oneOf: [{{$ref: '#/components/schemas/{cat}'}}, {{$ref: '#/components/schemas/Dog'}}], discriminator: {{propertyName: kind}}}}"
        )
    };
    let (of_cats, of_felines) = (pets("Cat"), pets("Feline"));
    for (cat, old, new, action) in [
        (
            "Cat",
            "{type: object, maxProperties: 2}",
            "{allOf: [{type: object, maxProperties: 2}, {type: object, properties: {h: {}}}]}",
            removed("maxProperties", "2"),
        ),
        (
            "Cat",
            "{type: string, enum: [a, b]}",
            "{allOf: [{type: string}, {enum: [a, b]}]}",
            removed("enum", "[a, b]"),
        ),
        (
            "Cat",
            "{type: string, nullable: true}",
            "{anyOf: [{type: string, nullable: true}, {type: integer}]}",
            removed("nullable", "true"),
        ),
        ("Feline", &of_cats, &of_felines, guarded(&of_cats)),
    ] {
        let (old, new) = (source("Cat", old), source(cat, new));
        let set = alone(&action);
        let before = judge(&old, &set).all[0].verdict;
        assert_eq!(before, Verdict::Applied, "{action}");
        let is_left = rebase(&old, &new, &set, false).map_or(true, |moved| {
            let judged = judge(&new, &moved.set);
            let is_outdated = |one: &Judgement| one.verdict == Verdict::Outdated;
            !moved.decisions.is_empty() || judged.all.iter().any(is_outdated)
        });
        assert!(is_left, "{action}");
    }
}
