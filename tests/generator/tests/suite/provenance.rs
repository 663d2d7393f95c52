//! The documentation of a crate on overrides: one line at each location, and the complete entry once.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_overlay::Change;

use crate::support::{Inputs, Workspace, reached};

#[test]
fn each_link_has_its_entry_and_each_entry_that_matters_has_a_link() {
    let tree = Inputs::committed().tree();
    let ids = |text: &str, start: &str, end: char| -> BTreeSet<String> {
        let found = text.split(start).skip(1);
        let found = found.filter_map(|rest| Some(rest.split_once(end)?.0.to_owned()));
        found.collect()
    };
    let linked: BTreeSet<String> = tree
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .flat_map(|(_, text)| ids(text, "(crate::overrides#", ')'))
        .collect();
    let list = tree.get("OVERRIDES.md").unwrap();
    let anchors = ids(list, "<a id=\"", '"');
    assert_eq!(linked.difference(&anchors).count(), 0, "{linked:?}");
    let (relevant, _) = list.split_once("\n## Added for the generator\n").unwrap();
    let relevant = ids(relevant, "<a id=\"", '"');
    let mut unlinked: Vec<&String> = relevant.difference(&linked).collect();
    let used = overrides_of_used_schemas();
    unlinked.retain(|id| used.contains(*id));
    assert_eq!(unlinked, [""; 0]);
}

/// Returns the overrides with a place that callers see: in an operation, or in a schema that one uses.
fn overrides_of_used_schemas() -> BTreeSet<String> {
    let reconciled = Inputs::committed().reconciled();
    let schemas = reached(reconciled.value());
    let is_used = |change: &Change| {
        let mut tokens = pointer::tokens(&change.pointer).skip(2);
        !change.pointer.starts_with("/components/schemas/")
            || tokens.next().is_none_or(|name| schemas.contains(&name))
    };
    let mut all = BTreeSet::new();
    for applied in &reconciled.report.applied {
        if applied.changes.iter().any(is_used) {
            all.insert(applied.by.id.clone());
        }
    }
    all
}

#[test]
fn what_may_be_wrong_stands_first_in_the_list() {
    let tree = Inputs::committed().tree();
    let list = tree.get("OVERRIDES.md").unwrap();
    let titles: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    assert_eq!(titles, ["Assumed", "Corrected", "Added for the generator"]);
    let root = tree.get("src/lib.rs").unwrap();
    assert!(
        root.contains("#[doc = include_str!(\"../OVERRIDES.md\")]\npub mod overrides {}\n"),
        "{root}"
    );
}

#[test]
fn a_place_has_the_note_of_its_override_or_else_the_title() {
    let overlay = |note: &str| {
        format!(
            "overlay: 1.1.0
info: {{title: Sizes are texts, version: 1.0.0}}
x-override: {{{note}published: No type., observed: A text., reference: '1', retire-when: It is published.}}
actions:
  - target: $.components.schemas.Thing.properties.size
    x-expect: {{type: null}}
    update: {{type: string}}
"
        )
    };
    let types = |note: &str| {
        let workspace = Workspace::with(
            "openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /thing:
    get:
      operationId: thing
      responses:
        '200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
components:
  schemas:
    Thing: {type: object, properties: {size: {description: How large it is.}}}
",
        )
        .file("overrides/assumed/size.yaml", &overlay(note));
        let (_, output) = workspace.regen(false);
        assert!(workspace.exists("generated/src/types.rs"), "{output}");
        workspace.read("generated/src/types.rs")
    };
    let with = types("note: 'Type not documented; assumed to be a string.', ");
    let line =
        "    /// *Type not documented; assumed to be a string ([why](crate::overrides#size)).*\n";
    assert!(with.contains(line), "{with}");
    for note in ["", "note: ' ', "] {
        let without = types(note);
        let line = "    /// *Assumed: Sizes are texts ([why](crate::overrides#size)).*\n";
        assert!(without.contains(line), "{without}");
    }
}
