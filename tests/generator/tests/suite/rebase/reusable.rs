//! Overrides whose actions refer to reusable actions of Overlay 1.2.

use openapi_overrides::{OverrideSet, Verdict, judge, rebase};

use super::{DOCUMENT, file, source};
use crate::support::Workspace;

const ACTIONS: &str = r"  - $ref: '#/components/actions/dated'
    target: $.components.schemas.Thing.properties.name
components:
  actions:
    dated:
      fields:
        x-expect: {format: null}
        update: {format: date}
";

fn load(actions: &str) -> Result<OverrideSet, openapi_document::finding::DocumentError> {
    let text = file(actions).replace("overlay: 1.1.0", "overlay: 1.2.0");
    let workspace = Workspace::with(DOCUMENT).file("overrides/assumed/one.yaml", &text);
    OverrideSet::load(workspace.root(), "overrides")
}

#[test]
fn an_override_by_reference_has_the_guard_of_its_reusable_action_and_its_verdict() {
    let set = load(ACTIONS).unwrap();
    let old = source(DOCUMENT);
    assert_eq!(judge(&old, &set).all[0].verdict, Verdict::Applied);
    let dated = DOCUMENT.replace("name: {", "name: {format: uuid, ");
    let new = source(&dated);
    let moved = rebase(&old, &new, &set, true).unwrap();
    assert_eq!(judge(&new, &moved.set).all[0].verdict, Verdict::Outdated);
}

#[test]
fn an_override_by_reference_follows_with_its_own_target_and_guard() {
    let set = load(ACTIONS).unwrap();
    let renamed = DOCUMENT
        .replace("schemas/Thing'", "schemas/Item'")
        .replace("    Thing:", "    Item:");
    let (old, new) = (source(DOCUMENT), source(&renamed));
    let moved = rebase(&old, &new, &set, true).unwrap();
    let wanted = set.overrides[0].source.text.replace(".Thing.", ".Item.");
    assert_eq!(moved.files[0].1, wanted);
    assert_eq!(judge(&new, &moved.set).all[0].verdict, Verdict::Applied);
}

#[test]
fn what_a_reusable_action_writes_is_changed_by_a_person() {
    let set = load(&ACTIONS.replace(
        "{format: date}",
        "{anyOf: [{$ref: '#/components/schemas/Kind'}]}",
    ));
    let renamed = DOCUMENT
        .replace("schemas/Kind", "schemas/ThingKind")
        .replace("    Kind:", "    ThingKind:");
    let stop = rebase(&source(DOCUMENT), &source(&renamed), &set.unwrap(), true).unwrap_err();
    let finding = &stop.findings()[0];
    assert_eq!(finding.rule, "override-style");
    assert!(finding.help.ends_with("an update instead of a `$ref`"));
}

#[test]
fn an_unknown_extension_of_a_reusable_action_is_an_error_once() {
    let twice = ACTIONS.replace("format: date", "x-rust-nam: Name").replace(
        "components:\n",
        "  - $ref: '#/components/actions/dated'\n    target: $.components.schemas.Kind\ncomponents:\n",
    );
    let stop = load(&twice).unwrap_err();
    let found: Vec<_> = stop.findings().iter().map(|one| &*one.pointer).collect();
    assert_eq!(
        found,
        ["/components/actions/dated/fields/update/x-rust-nam"]
    );
}
