//! `openapi-crate update`: applies all changes or none, and always prints the next step.

mod built;
mod charges;
mod decisions;
mod edits;
mod forms;
mod gone;
mod interrupted;
mod news;
mod paging;
mod played;

use openapi_crate::commands::update::{Options, update};
use openapi_crate::install::STAGING;
use openapi_document::finding::DocumentError;

use crate::support::Workspace;

pub(crate) const DOCUMENT: &str = r#"openapi: 3.0.3
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
      description: Things.
      properties:
        name: {type: string}
"#;

const PACKAGE: &str = r#"overlay: 1.1.0
info: {title: Name of the package, version: 1.0.0}
x-override: {published: The interface., observed: A package., reference: "1", retire-when: Never.}
actions:
  - target: $.info
    x-expect:
      x-rust-package: null
    update:
      x-rust-package: {name: small, version: 0.1.0, environment: SMALL, description: A client.} # as published
"#;

pub(crate) const SIZE: &str = r#"overlay: 1.1.0
info: {title: Things have a size, version: 1.0.0}
x-override: {published: No size., observed: A size., reference: "1", retire-when: The size is published.}
actions:
  - target: $.components.schemas.Things.properties
    x-expect:
      size: null
    update:
      size: {type: integer, description: How large it is.}
"#;

const WORDING: &str = r#"overlay: 1.1.0
info: {title: Things are described, version: 1.0.0}
x-override: {published: Little., observed: More., reference: "1", retire-when: It is described.}
actions:
  - target: $.components.schemas.Things
    x-expect:
      description: Things.
    update:
      description: All things that there are.
"#;

const CHANGELOG: &str = "# Changelog\n\nFor people who depend on it.\n\n## 0.1.0\n\n- The first.\n";

const NEW: &str = "new.yaml";

/// Creates a generated workspace with a new document beside it, all of it staged in git.
fn workspace(new: &str) -> Workspace {
    let workspace = Workspace::with(DOCUMENT)
        .file("overrides/generator/package.yaml", PACKAGE)
        .file("overrides/assumed/size.yaml", SIZE)
        .file("overrides/assumed/wording.yaml", WORDING)
        .file("CHANGELOG.md", CHANGELOG)
        .file(NEW, new);
    workspace.git(&["init", "--quiet"]);
    stage(&workspace);
    workspace
}

/// Generates a workspace, and stages all of it.
fn stage(workspace: &Workspace) {
    workspace.regen(false);
    workspace.git(&["add", "."]);
}

/// Creates a generated workspace of this document, with a new one beside it.
fn between(old: &str, new: &str) -> Workspace {
    let workspace = workspace(new).file("spec/openapi.yaml", old);
    stage(&workspace);
    workspace
}

/// Checks that a file contains these words.
#[track_caller]
fn assert_has(workspace: &Workspace, path: &str, words: &str) {
    let text = workspace.read(path);
    assert!(text.contains(words), "{words} in {text}");
}

/// Checks that the crate is as a regen would make it.
#[track_caller]
fn assert_fresh(workspace: &Workspace) {
    assert!(workspace.regen(true).0);
}

/// Returns the document with one edit.
fn edited(from: &str, to: &str) -> String {
    assert!(DOCUMENT.contains(from), "{from}");
    DOCUMENT.replace(from, to)
}

fn with_property(property: &str) -> String {
    edited(
        "        name: {type: string}\n",
        &format!("        name: {{type: string}}\n        {property}\n"),
    )
}

fn options() -> Options {
    Options {
        document: NEW.to_owned(),
        name: NEW.to_owned(),
        version: None,
        dry_run: false,
        accept: false,
        verbose: false,
        colour: false,
    }
}

/// Returns the options of an update to another document.
pub(crate) fn of(document: &str) -> Options {
    Options {
        document: document.to_owned(),
        name: document.to_owned(),
        ..options()
    }
}

/// Runs an update; returns its output, and the stop that ends it.
fn run(workspace: &Workspace, options: &Options) -> (String, Option<DocumentError>) {
    let mut out = Vec::new();
    let outcome = update(&workspace.layout(), options, &mut out);
    let stop = outcome.err().map(|error| error.downcast().unwrap());
    (String::from_utf8(out).unwrap(), stop)
}

/// Runs an update that must succeed; returns its output.
#[track_caller]
fn done(workspace: &Workspace, options: &Options) -> String {
    let (shown, stop) = run(workspace, options);
    assert_eq!(stop, None, "{shown}");
    shown
}

/// Runs an update that must stop and leave everything unchanged.
fn refused(workspace: &Workspace, options: &Options) -> (String, DocumentError) {
    let before = workspace.files();
    let (shown, stop) = run(workspace, options);
    assert_eq!(workspace.files(), before);
    (shown, stop.expect("the update was not refused"))
}

#[test]
fn an_addition_is_one_command() {
    let new = with_property("colour: {type: string, description: Its colour.}")
        .replace("version: \"1\"", "version: \"1.1\"");
    let workspace = workspace(&new);
    let shown = done(&workspace, &options());
    insta::assert_snapshot!(shown);

    assert_eq!(workspace.read("spec/openapi.yaml"), new);
    let package = "overrides/generator/package.yaml";
    assert_has(&workspace, package, "version: 0.1.1,");
    assert_has(&workspace, package, "# as published");
    assert_has(&workspace, "generated/Cargo.toml", "version = \"0.1.1\"");
    insta::assert_snapshot!("changelog_of_an_addition", workspace.read("CHANGELOG.md"));
    assert_fresh(&workspace);
    assert!(!workspace.exists(STAGING));
    // A second update is already up to date.
    let shown = done(&workspace, &options());
    assert!(shown.contains("is unchanged"), "{shown}");
}

#[test]
fn what_breaks_callers_gets_the_version_that_says_so() {
    let workspace = workspace(&edited("name: {type: string}", "name: {type: integer}"));
    let shown = done(&workspace, &options());
    let version = "Version 0.1.0 to 0.2.0: callers' code may not build";
    assert!(shown.contains(version), "{shown}");
    let changed = "Compiles differently:\n\n- `types::Things::name`";
    assert_has(&workspace, "CHANGELOG.md", changed);
}

#[test]
fn a_smaller_version_than_due_is_refused_and_a_greater_one_is_taken() {
    let workspace = workspace(&edited("name: {type: string}", "name: {type: integer}"));
    let asked = |version: &str| Options {
        version: Some(version.to_owned()),
        ..options()
    };
    let (_, stop) = refused(&workspace, &asked("0.1.1"));
    insta::assert_snapshot!(stop);
    let (_, stop) = refused(&workspace, &asked("next"));
    assert!(matches!(stop, DocumentError::Unreadable(_)));
    done(&workspace, &asked("1.0.0"));
    assert_has(&workspace, "generated/Cargo.toml", "version = \"1.0.0\"");
}

#[test]
fn an_override_that_the_document_says_now_goes() {
    let workspace = workspace(&with_property(
        "size: {type: integer, description: How large it is.}",
    ));
    for (name, text, evidence) in [
        ("size", SIZE, "evidence/size.json, evidence/both.json"),
        ("wording", WORDING, "evidence/both.json"),
    ] {
        let text = text.replace(
            ".}\nactions",
            &format!("., evidence: [{evidence}]}}\nactions"),
        );
        workspace.write(&format!("overrides/assumed/{name}.yaml"), &text);
    }
    let [own, shared] = ["size", "both"].map(|name| format!("overrides/evidence/{name}.json"));
    let seen = r#"{"note": "Built by hand.", "schema": "Things", "payload": {"name": "seen"}, "published": {"name": "said"}}"#;
    for file in [&own, &shared] {
        workspace.write(file, seen);
    }
    workspace.git(&["add", "."]);
    let shown = done(&workspace, &options());
    assert!(!workspace.exists("overrides/assumed/size.yaml"));
    assert!(!workspace.exists(&own), "{shown}");
    assert!(workspace.exists(&shared), "{shown}");
    for words in [
        "Retired overrides/assumed/size.yaml (the document now says it)",
        "- `overrides/assumed/size.yaml` is gone, because the document now says it: Things have a size",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
    assert_fresh(&workspace);
}

#[test]
fn an_override_that_a_person_has_to_look_at_stops_everything() {
    let new = with_property("size: {type: string, description: How large it is.}");
    let workspace = workspace(&new);
    let (shown, stop) = refused(&workspace, &options());
    insta::assert_snapshot!(format!("{shown}\n{stop}"));
    // Follow the help: the document is right.
    std::fs::remove_file(workspace.root().join("overrides/assumed/size.yaml")).unwrap();
    workspace.git(&["add", "--update", "overrides"]);
    done(&workspace, &options());
    assert_fresh(&workspace);
}

#[test]
fn overrides_and_the_document_change_together() {
    let new = DOCUMENT
        .replace("Things'", "Stuff'")
        .replace("    Things:", "    Stuff:")
        .replace("/things:", "/v2/things/:");
    let workspace = workspace(&new);
    let shown = done(&workspace, &options());
    for words in [
        "Follow 2 overrides, in the terms of the new document",
        "Kept the names that callers or stored responses have: `Things`;",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
    let size = SIZE.replace("schemas.Things", "schemas.Stuff");
    assert_eq!(workspace.read("overrides/assumed/size.yaml"), size);
    assert_eq!(workspace.read("spec/openapi.yaml"), new);
    assert_fresh(&workspace);
}

#[test]
fn the_id_that_budgets_and_spans_name_stays() {
    for id in ["Things", "listAll"] {
        let new = edited("operationId: things", &format!("operationId: {id}"));
        let workspace = workspace(&new);
        let ids = || {
            let client = workspace.read("generated/src/client.rs");
            let operation = workspace.read("generated/src/operations.rs");
            [client, operation].map(|file| {
                let line = file.lines().find(|line| line.contains("\"things\""));
                line.unwrap_or_default().trim().to_owned()
            })
        };
        let before = ids();
        let shown = done(&workspace, &options());
        let kept = "Kept the names that callers or stored responses have: `things`;";
        assert!(shown.contains(kept), "{shown}");
        let declared = r#"static THINGS: Operation = Operation::get("things", "/things")"#;
        assert_eq!(before, [r#"operations: &["things"],"#, declared]);
        assert_eq!(ids(), before, "{id}");
        assert_fresh(&workspace);
    }
}

#[test]
fn the_name_of_a_security_scheme_stays() {
    const SCHEMES: &str = "components:
  securitySchemes:
    Key: {type: apiKey, in: header, name: x-key}
    Token: {type: http, scheme: bearer}
";
    let document = DOCUMENT
        .replace("paths:", "security: [{Key: []}, {Token: []}]\npaths:")
        .replace("components:\n", SCHEMES);
    let renamed = document.replace("Key:", "ApiKeyAuth:");
    let workspace = between(&document, &renamed);
    let shown = done(&workspace, &options());
    assert!(!shown.contains("is gone"), "{shown}");
    let client = workspace.read("generated/src/client.rs");
    assert!(client.contains("pub fn key("), "{client}");
    assert_fresh(&workspace);
}

#[test]
fn a_dry_run_shows_all_of_it_and_changes_nothing() {
    let workspace = workspace(&with_property("colour: {type: string}"));
    let before = workspace.files();
    let dry = Options {
        dry_run: true,
        ..options()
    };
    let shown = done(&workspace, &dry);
    assert_eq!(workspace.files(), before);
    for line in [
        "Would write CHANGELOG.md",
        "Would write spec/openapi.yaml",
        "Version 0.1.0 to 0.1.1",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn what_cannot_be_generated_is_refused_with_the_reason() {
    let workspace = workspace(&edited(
        "operationId: things",
        "operationId: things\n      servers: [{url: 'http://other.example'}]",
    ));
    let (shown, stop) = refused(&workspace, &options());
    let finding = &stop.findings()[0];
    assert_eq!((finding.rule, finding.file.as_str()), ("own-servers", NEW));
    assert!(shown.contains("Wire "), "{shown}");
}

#[test]
fn the_document_in_place_and_a_missing_one_are_told_apart() {
    let workspace = workspace(DOCUMENT);
    let (_, stop) = refused(&workspace, &of("spec/openapi.yaml"));
    assert_eq!(stop.findings()[0].rule, "same-file");
    let (_, stop) = refused(&workspace, &of("nowhere.yaml"));
    assert_eq!(stop.findings()[0].rule, "unreadable-file");
}

#[test]
fn the_commands_that_come_next_accept_as_much() {
    let new = DOCUMENT
        .replace("schemas/Things", "schemas/Items")
        .replace("    Things:", "    Items:")
        .replace("name: {type", "size: {type: string}\n        name: {type");
    for (accept, end) in [(false, ""), (true, " --accept")] {
        let options = Options {
            accept,
            ..options()
        };
        let (shown, _) = refused(&workspace(&new), &options);
        let line = format!("`openapi-crate overrides rebase --document {NEW}{end}` writes");
        assert!(shown.contains(&line), "{shown}");
    }
}
