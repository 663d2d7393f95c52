//! An update's message to callers, and its version: in the terms of their document.

use super::*;

/// An override that gives a thing a kind, with values that the document does not have yet.
const KIND: &str = r#"overlay: 1.1.0
info: {title: Things have a kind, version: 1.0.0}
x-override: {published: Small only., observed: Large too., reference: "1", retire-when: Both are published.}
actions:
  - target: $.components.schemas.Kind
    x-expect:
      enum: [small]
    update:
      enum: [large]
"#;

fn with_kind(values: &str) -> String {
    with_property("kind: {$ref: '#/components/schemas/Kind'}")
        + &format!("    Kind: {{type: string, enum: [{values}]}}\n")
}

#[test]
fn what_an_override_said_before_is_no_news() {
    let workspace = workspace(&with_kind("small, large"))
        .file("spec/openapi.yaml", &with_kind("small"))
        .file("overrides/assumed/kind.yaml", KIND);
    stage(&workspace);
    let shown = done(&workspace, &options());
    assert!(
        shown.contains("Retired overrides/assumed/kind.yaml"),
        "{shown}"
    );
    // The output describes the documents; callers had the value.
    assert!(shown.contains("`large`"), "{shown}");
    let changelog = workspace.read("CHANGELOG.md");
    assert!(!changelog.contains("large"), "{changelog}");
}

/// Updates a workspace with the document `old`; returns the output and the changelog.
fn updated(old: &str, new: &str) -> (String, String) {
    let workspace = between(old, new);
    let shown = done(&workspace, &options());
    assert!(workspace.regen(true).0);
    let changelog = workspace.read("CHANGELOG.md");
    let (entry, _) = changelog.split_once("\n## 0.1.0").unwrap();
    (shown, entry.to_owned())
}

#[test]
fn a_document_that_only_changes_words_says_which() {
    let (shown, entry) = updated(
        DOCUMENT,
        &edited(
            "'200':\n          description: Things.",
            "'200':\n          description: All things.",
        ),
    );
    let words = "GET /things: response 200: `description` changed from `Things.` to `All things.`";
    assert!(shown.contains(&format!("Wording {words}\n")), "{shown}");
    assert!(
        shown.contains(&format!("\nOnly descriptions change:\n\n- {words}\n")),
        "{shown}"
    );
    // The description of a response appears at no type and no method.
    assert!(shown.contains("Version 0.1.0 stays"), "{shown}");
    assert!(!entry.contains("Only descriptions"), "{entry}");

    let (shown, entry) = updated(
        &with_property("size_: {type: string, description: One.}"),
        &with_property("size_: {type: string, description: Two.}"),
    );
    assert!(shown.contains("Version 0.1.0 to 0.1.1"), "{shown}");
    assert!(
        entry.ends_with("\nOnly descriptions change:\n\n- schema Things: size_: `description` changed from `One.` to `Two.`\n"),
        "{entry}"
    );
}

#[test]
fn the_changelog_leaves_it_to_the_version_what_breaks() {
    let with = |values: &str| {
        let kind = format!("size_: {{type: string, enum: [{values}], description: Its size.}}");
        with_property(&kind)
    };
    let (shown, entry) = updated(&with("small, medium"), &with("small, medium, large"));
    assert!(shown.contains("Wire risky"), "{shown}");
    assert!(shown.contains("there is more to use"), "{shown}");
    let line = "- schema Things: size_: the enum value `large` is new\n";
    assert!(entry.contains(line), "{entry}");
}

#[test]
fn cargo_finds_the_version_in_the_lock_file() {
    let lock = "version = 4\n\n[[package]]\nname = \"small\"\nversion = \"0.1.0\"\n";
    let workspace = workspace(&with_property("colour: {type: string}")).file("Cargo.lock", lock);
    // The changelog is changed, and must be committed.
    let (_, stop) = refused(&workspace, &options());
    assert_eq!(stop.findings()[0].file, "Cargo.lock");
    workspace.git(&["add", "."]);
    done(&workspace, &options());
    assert_eq!(workspace.read("Cargo.lock"), lock.replace("0.1.0", "0.1.1"));
}

#[test]
fn the_text_for_a_pull_request_sums_up_a_long_list() {
    let many = |one: &str| -> String {
        let lines = (0..60).map(|number| format!("{one}{number}: {{type: string}}"));
        lines.collect::<Vec<_>>().join("\n        ")
    };
    let workspace = workspace(&with_property(&many("colour")));
    let shown = done(&workspace, &options());
    assert!(shown.contains("60 safe changes"), "{shown}");
    assert!(
        shown.contains("`colour49`") && !shown.contains("`colour59`"),
        "{shown}"
    );
    assert!(shown.contains("\nand 10 more\n"), "{shown}");
}

#[test]
fn the_text_for_a_pull_request_counts_other_words_and_lists_what_matters() {
    let many = |text: &str, more: &str| {
        let lines = (0..60).map(|number| {
            format!("colour{number}: {{type: string, description: {text} {number}.}}")
        });
        let lines: Vec<String> = lines.chain([more.to_owned()]).collect();
        with_property(&lines.join("\n        "))
    };
    let old = many("Colour", "gone: {type: string}");
    let (shown, _) = updated(&old, &many("Paint", ""));
    let (_, text) = shown.split_once("\n# Update to").unwrap();
    assert!(
        text.contains("the optional property `gone` is gone"),
        "{text}"
    );
    assert!(!text.contains("colour1"), "{text}");
    assert!(text.contains("Besides, 60 changes of titles"), "{text}");
}

#[test]
fn the_changelog_says_which_values_an_enumeration_no_longer_knows() {
    const CASE: &str = r#"overlay: 1.1.0
info: {title: Kinds have capitals, version: 1.0.0}
x-override: {published: Small letters., observed: Capitals., reference: "1", retire-when: Capitals are published.}
actions:
  - target: $.components.schemas.Kind
    x-expect:
      x-aliases: null
    update:
      x-aliases: {Small: [small]}
"#;
    let workspace = workspace("")
        .file("spec/openapi.yaml", &with_kind("Small, Large"))
        .file("overrides/assumed/case.yaml", CASE)
        .file(
            NEW,
            &with_kind("Small, Large").replace("name: {type: string}", "name: {type: integer}"),
        );
    workspace.regen(false);
    // A decision by hand.
    std::fs::remove_file(workspace.root().join("overrides/assumed/case.yaml")).unwrap();
    workspace.git(&["add", "."]);
    done(&workspace, &options());
    let changelog = workspace.read("CHANGELOG.md");
    let line = "`types::Kind` reads `small` as `Unrecognized` now";
    assert!(changelog.contains(line), "{changelog}");
    assert!(!changelog.contains("has changed"), "{changelog}");
}

#[test]
fn a_text_that_an_override_replaces_is_for_a_person_where_it_is_worded_in_another_way() {
    let new = edited(
        "description: Things.\n      properties",
        "description: Things, now.\n      properties",
    );
    let workspace = workspace(&new);
    let (_, stop) = refused(&workspace, &options());
    assert!(stop.to_string().contains("another wording"), "{stop}");
    let accepted = Options {
        accept: true,
        ..options()
    };
    let shown = done(&workspace, &accepted);
    assert!(shown.contains("- **Assumed:** the guarded words are others: overrides/assumed/wording.yaml; another wording"), "{shown}");
    assert!(workspace.regen(true).0);
}

/// A person wrote `Query::new(size)`, and the provider only says what a search without a size is.
#[test]
fn a_default_that_a_new_document_adds_removes_no_argument_of_callers() {
    const SEARCH: &str = "paths:
  /search:
    post:
      operationId: search
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Query'}}}}
      responses: {'204': {description: Done.}}
";
    const QUERY: &str = "components:
  schemas:
    Query: {type: object, description: A search., required: [size], properties: {size: {type: integer, MORE}}}
";
    let document = |more: &str| {
        let text = DOCUMENT
            .replace("paths:\n", SEARCH)
            .replace("components:\n  schemas:\n", QUERY);
        text.replace("MORE", more)
    };
    let (old, new) = (document("minimum: 0"), document("minimum: 0, default: 20"));
    let workspace = between(&old, &new);
    let shown = done(&workspace, &options());
    assert!(shown.contains("`Query::new(size)`"), "{shown}");
    assert!(!shown.contains("may not build"), "{shown}");
    let names = workspace.read("overrides/generator/names.yaml");
    assert!(names.contains("x-rust-optional: false"), "{names}");
    let types = workspace.read("generated/src/types.rs");
    assert!(types.contains("pub fn new(size: "), "{types}");
    assert!(workspace.regen(true).0);
}

const SECURED: &str = "security: [{Key: []}]
components:
  securitySchemes:
    Key: {type: apiKey, in: header, name: x-key, description: The key.}
";

#[test]
fn credentials_that_are_optional_now_are_news_and_a_renamed_scheme_is_not() {
    let document = DOCUMENT.replace("components:\n", SECURED);
    let optional = document.replace("[{Key: []}]", "[{}, {Key: []}]");
    let workspace = between(&document, &optional);
    let shown = done(&workspace, &options());
    let line = "- **On the wire:** security: no credential is enough now\n";
    assert!(shown.contains(line), "{shown}");
    // The module of the crate has what that of the runtime had.
    assert!(
        shown.contains("- **Compiles differently:** nothing\n"),
        "{shown}"
    );
    assert!(
        shown.contains("- **New:** `credentials::key` is new\n"),
        "{shown}"
    );
    assert!(!shown.contains("`credentials::Token`"), "{shown}");

    let renamed = optional.replace("Key:", "ApiKeyAuth:");
    workspace.write(NEW, &renamed.replace(", description: The key.", ""));
    workspace.git(&["add", "."]);
    let shown = done(&workspace, &options());
    assert!(!shown.contains("enough"), "{shown}");
}
