//! Overrides of which the new document has nothing: those of gone places go, and misspelt ones are for a person.

use openapi_crate::commands::overrides::{self, RebaseOptions};

use super::*;

/// An override that adds a component, and one about that component.
const ADDED: &str = r#"overlay: 1.1.0
info: {title: Things have a colour, version: 1.0.0}
x-override: {published: No colour., observed: A colour., reference: "1", retire-when: The colour is published.}
actions:
  - target: $.components.schemas
    x-expect:
      Colour: null
    update:
      Colour: {type: string, description: A colour.}
  - target: $.components.schemas.Things.properties
    x-expect:
      colour: null
    update:
      colour: {$ref: '#/components/schemas/Colour'}
"#;
const ABOUT: &str = r#"overlay: 1.1.0
info: {title: Colours are short, version: 1.0.0}
x-override: {published: No length., observed: A length., reference: "1", retire-when: The length is published.}
actions:
  - target: $.components.schemas.Colour
    x-expect:
      maxLength: null
    update:
      maxLength: 9
"#;
const ADDED_FILE: &str = "overrides/assumed/colour.yaml";
const ABOUT_FILE: &str = "overrides/assumed/colours-are-short.yaml";

#[test]
fn an_override_about_a_component_of_an_override_that_a_person_deleted_goes() {
    let workspace = workspace(&with_property("weight: {type: number}"))
        .file(ADDED_FILE, ADDED)
        .file(ABOUT_FILE, ABOUT);
    workspace.regen(false);
    std::fs::remove_file(workspace.root().join(ADDED_FILE)).unwrap();
    workspace.git(&["add", "."]);
    let shown = done(&workspace, &options());
    let line =
        format!("Retired {ABOUT_FILE} (the document no longer has or uses what it is about)");
    assert!(shown.contains(&line), "{shown}");
    assert!(!workspace.exists(ABOUT_FILE));
    assert!(workspace.regen(true).0);
}

#[test]
fn an_override_about_a_component_that_never_was_is_for_a_person() {
    let workspace = workspace(&with_property("weight: {type: number}")).file(
        ABOUT_FILE,
        &ABOUT.replace("schemas.Colour", "schemas.Color"),
    );
    workspace.git(&["add", "."]);
    let (_, stop) = refused(&workspace, &options());
    let found: Vec<(&str, &str)> = stop
        .findings()
        .iter()
        .map(|one| (one.rule, one.file.as_str()))
        .collect();
    assert_eq!(found, [("orphaned", ABOUT_FILE)]);
}

/// The component comes back with the decision.
#[test]
fn an_override_about_a_component_of_one_that_waits_for_a_person_stays() {
    let written_out = edited(
        "{$ref: '#/components/schemas/Things'}",
        "{type: object, description: Things., properties: {name: {type: string}}}",
    );
    let (without_components, _) = written_out.split_once("components:").unwrap();
    let workspace = workspace(without_components)
        .file(ADDED_FILE, ADDED)
        .file(ABOUT_FILE, ABOUT);
    workspace.regen(false);
    let options = RebaseOptions {
        document: NEW.to_owned(),
        accept: false,
        dry_run: false,
        verbose: false,
    };
    let mut out = Vec::new();
    let stop = overrides::rebase(&workspace.layout(), &options, &mut out);
    assert!(stop.is_err());
    let shown = String::from_utf8(out).unwrap();
    for path in [ADDED_FILE, ABOUT_FILE] {
        assert!(workspace.exists(path), "{path}: {shown}");
    }
}
