//! `openapi-crate release`: version, changelog and tag message, after any change since the last release.

use client_generator::generate;
use client_generator::surface;
use openapi_crate::commands::release::{Options, release};
use openapi_crate::commands::update;
use openapi_document::finding::DocumentError;
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

const CHANGELOG: &str = "# Changelog\n\n## 0.1.0, unreleased\n\n- The first.\n";
const LOCK: &str = "version = 4\n\n[[package]]\nname = \"small\"\nversion = \"0.1.0\"\n";

/// Returns a generated, committed workspace before its first release.
fn unreleased() -> Workspace {
    let workspace = Workspace::with(DOCUMENT)
        .file("overrides/generator/package.yaml", PACKAGE)
        .file("CHANGELOG.md", CHANGELOG)
        .file("Cargo.lock", LOCK);
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
    assert_eq!(run(&workspace, &Options::default()).1, None);
    commit(&workspace);
    workspace.git(&["tag", "v0.1.0"]);
    workspace
}

/// Adds an override.
fn with_override(workspace: &Workspace) {
    workspace.write("overrides/assumed/colour.yaml", COLOUR);
    workspace.regen(false);
    workspace.git(&["add", "."]);
}

fn commit(workspace: &Workspace) {
    workspace.git(&["add", "."]);
    workspace.git(&["commit", "--quiet", "--allow-empty", "--message", "One"]);
}

/// Runs a release; returns its output, and the stop that ends it.
fn run(workspace: &Workspace, options: &Options) -> (String, Option<DocumentError>) {
    let mut out = Vec::new();
    let outcome = release(&workspace.layout(), options, &mut out);
    let stop = outcome.err().map(|error| error.downcast().unwrap());
    (String::from_utf8(out).unwrap(), stop)
}

/// Runs `regen --check`; returns whether everything is in order, and the output.
fn check(workspace: &Workspace) -> (bool, String) {
    let mut out = Vec::new();
    let fresh = regen(&workspace.layout(), true, &mut out).unwrap();
    (fresh, String::from_utf8(out).unwrap())
}

#[test]
fn a_first_release_has_the_version_that_is_there() {
    let workspace = unreleased();
    assert!(
        check(&workspace).0,
        "nothing is released, and nothing is due"
    );
    let (shown, stop) = run(&workspace, &Options::default());
    assert_eq!(stop, None);
    insta::assert_snapshot!(shown);
    assert_eq!(
        workspace.read("CHANGELOG.md"),
        CHANGELOG.replace(", unreleased", "")
    );
    assert_eq!(workspace.read("Cargo.lock"), LOCK);
}

#[test]
fn a_change_of_overrides_alone_is_released() {
    let workspace = released();
    assert!(check(&workspace).0);
    with_override(&workspace);
    let (fresh, shown) = check(&workspace);
    assert!(!fresh);
    assert!(
        shown.contains(
            "Version 0.1.0 is too low for the changes since v0.1.0 (due: 0.1.0 to 0.1.1: there is more to use): \
             run `openapi-crate release --bump`\n"
        ),
        "{shown}"
    );
    let (shown, stop) = run(&workspace, &Options::default());
    assert_eq!(stop, None);
    insta::assert_snapshot!(shown);
    assert!(workspace.read("Cargo.lock").contains("\"0.1.1\""));
    assert!(workspace.read("generated/Cargo.toml").contains("\"0.1.1\""));
    assert!(workspace.read("CHANGELOG.md").starts_with(
        "# Changelog\n\n## 0.1.1\n\nNew:\n\n- `types::Things::colour` is new\n\n## 0.1.0\n"
    ));
    assert!(check(&workspace).0);
    // Follow the instructions: commit and tag with the message; then nothing is left to do.
    commit(&workspace);
    workspace.git(&["tag", "v0.1.1"]);
    let (shown, stop) = run(&workspace, &Options::default());
    assert_eq!(
        (shown.contains("Fresh the crate is that of v0.1.1"), stop),
        (true, None)
    );
}

#[test]
fn the_tag_has_the_entry_of_the_changelog_as_its_text() {
    let workspace = released();
    with_override(&workspace);
    let (shown, _) = run(&workspace, &Options::default());
    let (_, commands) = shown.split_once("\n\n").unwrap();
    let script = workspace.root().join(".git/commands.sh");
    std::fs::write(&script, commands).unwrap();
    let status = std::process::Command::new("sh")
        .arg("-e")
        .arg(script)
        .current_dir(workspace.root())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let text = workspace.git(&["for-each-ref", "--format=%(contents)", "refs/tags/v0.1.1"]);
    assert_eq!(
        text.trim_end(),
        "small 0.1.1\n\nNew:\n\n- `types::Things::colour` is new"
    );
    assert_eq!(workspace.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_bump_leaves_the_entry_unreleased_and_the_release_completes_it() {
    let workspace = released();
    with_override(&workspace);
    let bump = Options {
        bump: true,
        ..Options::default()
    };
    let (shown, stop) = run(&workspace, &bump);
    assert_eq!(stop, None);
    assert!(!shown.contains("git tag"), "{shown}");
    assert!(
        workspace
            .read("CHANGELOG.md")
            .contains("## 0.1.1, unreleased\n")
    );
    assert!(check(&workspace).0);
    // A later breaking change needs a higher version than the current one.
    let text = COLOUR.replace("\n      colour: null\n", "\n      name: null\n");
    let text = text.replace("colour: {type: string}", "name: {type: integer}");
    let text = text.replace("      name: null", "      name: {type: string}");
    workspace.write("overrides/assumed/count.yaml", &text);
    workspace.regen(false);
    workspace.git(&["add", "."]);
    let (fresh, shown) = check(&workspace);
    assert!(!fresh);
    assert!(shown.contains("0.1.1 is too low"), "{shown}");
    let (shown, stop) = run(&workspace, &Options::default());
    assert_eq!(stop, None);
    assert!(
        shown.contains("Version 0.1.0 to 0.2.0: callers' code may not build"),
        "{shown}"
    );
    let changelog = workspace.read("CHANGELOG.md");
    assert!(changelog.contains("## 0.2.0\n\nNew:\n\n- `types::Things::colour` is new\n\nCompiles differently:\n\n- `types::Things::name`"), "{changelog}");
    assert!(!changelog.contains("0.1.1"), "{changelog}");
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
    assert_eq!(run(&workspace, &Options::default()).1, None);
    let changelog = workspace.read("CHANGELOG.md");
    assert!(
        changelog.contains("- `types::Things::gone` is gone"),
        "{changelog}"
    );
}

#[test]
fn a_prefix_that_moved_is_one_line_of_a_release() {
    let workspace = released();
    workspace.write("spec/openapi.yaml", &DOCUMENT.replace("/v1/", "/v2/"));
    workspace.regen(false);
    workspace.git(&["add", "."]);
    let (shown, stop) = run(&workspace, &Options::default());
    assert_eq!(stop, None);
    assert!(
        shown.contains("Version 0.1.0 to 0.2.0: paths of calls changed"),
        "{shown}"
    );
    let moved = "On the wire:\n\n- `/v1/things` is called at `/v2/things` now\n";
    assert!(workspace.read("CHANGELOG.md").contains(moved));
    assert!(!workspace.read("CHANGELOG.md").contains("operation is gone"));
}

#[test]
fn what_update_wrote_is_released_as_it_is() {
    let workspace = released();
    let new = DOCUMENT.replace(
        "name: {type: string}",
        "name: {type: string}\n        size: {type: integer}",
    );
    workspace.write("new.yaml", &new);
    let options = update::Options {
        document: "new.yaml".to_owned(),
        name: "new.yaml".to_owned(),
        version: None,
        as_given: false,
        dry_run: false,
        accept: false,
        verbose: false,
        colour: false,
    };
    update::update(&workspace.layout(), &options, &mut Vec::new()).unwrap();
    let entry = workspace.read("CHANGELOG.md");
    workspace.git(&["add", "."]);
    assert!(check(&workspace).0);
    assert_eq!(run(&workspace, &Options::default()).1, None);
    assert_eq!(
        workspace.read("CHANGELOG.md"),
        entry.replace(", unreleased", "")
    );
}

#[test]
fn a_version_that_is_too_small_or_taken_is_refused() {
    let workspace = released();
    with_override(&workspace);
    let asked = |version: &str| Options {
        version: Some(version.to_owned()),
        ..Options::default()
    };
    let before = workspace.files();
    let (_, small) = run(&workspace, &asked("0.1.0"));
    assert_eq!(small.unwrap().findings()[0].rule, "version-too-small");
    assert_eq!(workspace.files(), before);
    // On a separate commit.
    let tree = workspace.git(&["write-tree"]);
    let other = workspace.git(&["commit-tree", "-m", "Other", tree.trim()]);
    workspace.git(&["tag", "v0.1.1", other.trim()]);
    let (_, taken) = run(&workspace, &Options::default());
    assert_eq!(taken.unwrap().findings()[0].rule, "tag-exists");
    assert_eq!(run(&workspace, &asked("1.0.0")).1, None);
    assert!(workspace.read("generated/Cargo.toml").contains("\"1.0.0\""));
}

#[test]
fn a_dry_run_changes_nothing_and_unsaved_files_stop_a_release() {
    let workspace = released();
    workspace.write("overrides/assumed/colour.yaml", COLOUR);
    workspace.regen(false);
    let before = workspace.files();
    let dry = Options {
        dry_run: true,
        ..Options::default()
    };
    let (shown, stop) = run(&workspace, &dry);
    assert_eq!(stop, None);
    assert!(shown.contains("Would write CHANGELOG.md"), "{shown}");
    let (_, stop) = run(&workspace, &Options::default());
    let stop = stop.unwrap().to_string();
    assert!(stop.contains("and a release could lose them"), "{stop}");
    assert!(stop.contains("then run the release again"), "{stop}");
    assert_eq!(workspace.files(), before);
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
