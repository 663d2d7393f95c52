//! The version that is due after any change since the last release.

use client_generator::generate;
use client_generator::surface;
use xtask::regen;

use crate::support::{Inputs, Workspace};

const DOCUMENT: &str = r#"openapi: 3.0.3
info: {title: Small, version: "1"}
paths:
  /v1/things:
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
"#;

const PACKAGE: &str = r#"overlay: 1.1.0
info: {title: Name of the package, version: 1.0.0}
x-override: {published: The interface., observed: A package., reference: "1", retire-when: Never.}
actions:
  - target: $.info
    x-expect:
      x-rust-package: null
    update:
      x-rust-package: {name: small, version: 0.1.0, environment: SMALL, description: A client.}
"#;

const COLOUR: &str = r#"overlay: 1.1.0
info: {title: Things have a colour, version: 1.0.0}
x-override: {published: No colour., observed: A colour., reference: "1", retire-when: The colour is published.}
actions:
  - target: $.components.schemas.Things.properties
    x-expect:
      colour: null
    update:
      colour: {type: string}
"#;

/// Returns a generated, committed workspace before its first release.
fn unreleased() -> Workspace {
    let workspace = Workspace::with(DOCUMENT).file("overrides/generator/package.yaml", PACKAGE);
    workspace.regen(false);
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["config", "user.name", "A"]);
    workspace.git(&["config", "user.email", "a@example.com"]);
    commit(&workspace);
    workspace
}

/// Returns the same workspace after its first release.
fn released() -> Workspace {
    let workspace = unreleased();
    workspace.git(&["tag", "v0.1.0"]);
    workspace
}

fn commit(workspace: &Workspace) {
    workspace.git(&["add", "."]);
    workspace.git(&["commit", "--quiet", "--allow-empty", "--message", "One"]);
}

/// Runs `regen --check`; returns whether everything is in order, and the output.
fn check(workspace: &Workspace) -> (bool, String) {
    let mut out = Vec::new();
    let fresh = regen(&workspace.layout(), true, &mut out).unwrap();
    (fresh, String::from_utf8(out).unwrap())
}

#[test]
fn before_the_first_release_no_version_is_due() {
    assert!(check(&unreleased()).0);
}

#[test]
fn a_change_of_overrides_alone_needs_a_version() {
    let workspace = released();
    assert!(check(&workspace).0);
    workspace.write("overrides/assumed/colour.yaml", COLOUR);
    workspace.regen(false);
    workspace.git(&["add", "."]);
    let (fresh, shown) = check(&workspace);
    assert!(!fresh);
    assert!(
        shown.contains(
            "Version 0.1.0 is too low for the changes since v0.1.0 (due: 0.1.0 to 0.1.1: there is more to use): write the version and \
             its changelog entry, then run `openapi-crate generate`\n"
        ),
        "{shown}"
    );
    let package = PACKAGE.replace("version: 0.1.0", "version: 0.1.1");
    workspace.write("overrides/generator/package.yaml", &package);
    workspace.regen(false);
    assert!(check(&workspace).0);
}

#[test]
fn a_change_of_the_generator_alone_is_noticed() {
    let workspace = released();
    // The release had a method that is no longer emitted, and lacked one that is emitted now.
    workspace.git(&["tag", "--delete", "v0.1.0"]);
    let path = "generated/src/types.rs";
    let now = workspace.read(path);
    workspace.write(
        path,
        &format!("{now}impl Things {{ pub fn gone(&self) {{}} }}\n"),
    );
    commit(&workspace);
    workspace.git(&["tag", "v0.1.0"]);
    workspace.regen(false);
    commit(&workspace);
    let (fresh, shown) = check(&workspace);
    assert!(!fresh);
    assert!(
        shown.contains("0.1.0 to 0.2.0: callers' code may not build"),
        "{shown}"
    );
}

#[test]
fn paths_that_moved_need_a_breaking_version() {
    let workspace = released();
    workspace.write("spec/openapi.yaml", &DOCUMENT.replace("/v1/", "/v2/"));
    workspace.regen(false);
    let (fresh, shown) = check(&workspace);
    assert!(!fresh);
    assert!(
        shown.contains("0.1.0 to 0.2.0: paths of calls changed"),
        "{shown}"
    );
}

#[test]
fn the_files_of_a_crate_say_what_its_code_says() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let code = generate::code(&reconciled.source, &reconciled.report).unwrap();
    let of_code = surface::of(&reconciled.source, &code).unwrap();
    let task = crate::support::tool::layout(crate::support::repository()).task();
    let tree = generate::generate(&task).unwrap().tree;
    let files = tree
        .iter()
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    let of_files = surface::emitted(&files.collect(), &reconciled.source).unwrap();
    // The layout of the code in a file differs.
    let named = |surface: &surface::Surface| -> Vec<String> {
        let items = surface.items().map(|item| match item.kind {
            surface::Kind::Behaviour => item.path.clone(),
            kind => format!("{kind:?} {} {} {}", item.path, item.signature, item.pointer),
        });
        items.collect()
    };
    assert_eq!(named(&of_code), named(&of_files));
}
