//! Overrides that list required properties, restricted to those that exist.

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, rebase, required};
use serde_json::json;

use crate::support::Workspace;

const DOCUMENT: &str = "openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /things:
    get:
      operationId: things
      responses:
        '200':
          description: One thing.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Thing'}
components:
  schemas:
    Thing:
      type: object
      properties:
        name: {type: string}
        size: {type: integer}
        parent: {allOf: [{$ref: '#/components/schemas/Base'}]}
    Base:
      type: object
      properties:
        id: {type: integer}
";

fn set(actions: &str) -> OverrideSet {
    let text = format!(
        "overlay: 1.1.0\ninfo: {{title: A fact, version: 1.0.0}}\nx-override: {{published: p, observed: o, reference: '1', retire-when: Never.}}\nactions:\n{actions}"
    );
    let workspace = Workspace::with(DOCUMENT).file("overrides/assumed/one.yaml", &text);
    OverrideSet::load(workspace.root(), "overrides").unwrap()
}

fn source(text: &str) -> Source {
    Source::parse("openapi.yaml", text.to_owned()).unwrap()
}

const ALWAYS: &str = "  - target: $.components.schemas.Thing
    x-expect: {required: null, x-assumed: null}
    update:
      required: [name, size]
      x-assumed: [required]
";

#[test]
fn a_name_that_is_no_property_is_a_finding_at_its_place() {
    let action = |names: &str| ALWAYS.replace("[name, size]", names);
    let found = |actions: &str| {
        let set = set(actions);
        let reconciled = openapi_overrides::reconcile(&source(DOCUMENT), &set).unwrap();
        required(&reconciled.source, &set)
    };
    assert_eq!(found(ALWAYS), []);
    let findings = found(&action("[name, seize]"));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].rule, "required-without-property");
    assert_eq!(findings[0].pointer, "/actions/0/update/required/1");
    assert!(
        findings[0]
            .message
            .contains("`seize` is required, and #/components/schemas/Thing")
    );
    // Behind a wrapper, and below the target of the action.
    let below = |name: &str| {
        format!(
            "  - target: $.components.schemas.Thing.properties
    x-expect: {{parent: {{required: null, x-assumed: null}}}}
    update: {{parent: {{required: [{name}], x-assumed: [required]}}}}
"
        )
    };
    assert_eq!(found(&below("id")), []);
    let findings = found(&below("name"));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].pointer, "/actions/0/update/parent/required/0");
}

#[test]
fn an_assumption_promises_nothing() {
    let promise = ALWAYS
        .replace(", x-assumed: null", "")
        .replace("      x-assumed: [required]\n", "");
    let set = set(&promise);
    let reconciled = openapi_overrides::reconcile(&source(DOCUMENT), &set).unwrap();
    let findings = required(&reconciled.source, &set);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].rule, "assumed-required");
    assert_eq!(findings[0].pointer, "/actions/0/update/required");
    assert_eq!(
        findings[0].help,
        "write `x-assumed: [required]` beside the list"
    );
    // Also in a composition, where a list of names alone has the mark of its owner.
    for (update, count) in [
        ("{anyOf: [{required: [name]}, {required: [size]}]}", 2),
        (
            "{anyOf: [{required: [name]}, {required: [size]}], x-assumed: [required]}",
            0,
        ),
        (
            "{anyOf: [{required: [name]}, {required: [size]}], x-assumed: [size]}",
            1,
        ),
        ("{allOf: [{required: [name]}], x-assumed: [required]}", 1),
        ("{allOf: [{required: [name], x-assumed: [required]}]}", 0),
        ("{oneOf: [{properties: {size: {required: [a]}}}]}", 1),
        ("{required: [name, size], x-assumed: [name, size]}", 0),
        ("{required: [name, size], x-assumed: [name]}", 1),
    ] {
        let set = self::set(&format!(
            "  - target: $.components.schemas.Thing\n    update: {update}\n"
        ));
        let findings = required(&source(DOCUMENT), &set);
        let rules: Vec<&str> = findings.iter().map(|one| one.rule).collect();
        assert_eq!(rules, vec!["assumed-required"; count], "{update}");
    }
    // A document that promises the properties makes the override superfluous.
    let published = DOCUMENT.replace(
        "    Thing:\n      type: object\n",
        "    Thing:\n      type: object\n      required: [size, name]\n",
    );
    let judged = openapi_overrides::judge(&source(&published), &self::set(ALWAYS));
    assert_eq!(judged.all[0].verdict, openapi_overrides::Verdict::Retired);
}

#[test]
fn a_list_that_the_document_has_in_part_is_for_a_person() {
    for list in ["[size, name, parent]", "[size]"] {
        let own = format!("    Thing:\n      type: object\n      required: {list}\n");
        let published = DOCUMENT.replace("    Thing:\n      type: object\n", &own);
        let rebase = rebase(&source(DOCUMENT), &source(&published), &set(ALWAYS), true).unwrap();
        let judged = openapi_overrides::judge(&source(&published), &rebase.set);
        let expected = match list {
            "[size]" => openapi_overrides::Verdict::Outdated,
            _ => openapi_overrides::Verdict::Retired,
        };
        assert_eq!(judged.all[0].verdict, expected, "{list}");
    }
}

/// Returns the list of the override after the document changed.
fn listed(old: &str, new: &str) -> Vec<String> {
    let workspace = Workspace::with(old);
    let text = set(ALWAYS).overrides[0].source.text.clone();
    let workspace = workspace.file("overrides/assumed/one.yaml", &text);
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let rebase = rebase(&source(old), &source(new), &set, true).unwrap();
    assert_eq!(rebase.decisions, []);
    let after = &rebase.set.overrides[0].source.value["actions"][0]["update"]["required"];
    let names = after.as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_listed_property_that_is_gone_is_for_a_person() {
    let gone = DOCUMENT.replace("        size: {type: integer}\n", "");
    let other = DOCUMENT.replace("size: {type: integer}", "length: {type: number}");
    for new in [gone, other] {
        assert_eq!(listed(DOCUMENT, &new), ["name", "size"]);
        let findings = required(&source(&new), &set(ALWAYS));
        assert_eq!(findings.len(), 1, "{findings:?}");
    }
}

#[test]
fn a_property_with_another_name_has_that_name_in_the_list() {
    let always = ALWAYS.replace("[name, size]", "[name, parent]");
    let new = DOCUMENT.replace("parent:", "owner:");
    let moved = rebase(&source(DOCUMENT), &source(&new), &set(&always), true).unwrap();
    let update = &moved.set.overrides[0].source.value["actions"][0]["update"];
    assert_eq!(update["required"], json!(["name", "owner"]));
}

#[test]
fn a_property_that_an_override_adds_stays_in_the_list() {
    let new = DOCUMENT.replace("size: {type", "length: {type");
    let adds = format!(
        "{}  - target: $.components.schemas.Thing.properties
    x-expect: {{more: null}}
    update: {{more: {{type: string}}}}
",
        ALWAYS.replace("[name, size]", "[name, more]")
    );
    let rebase = rebase(&source(DOCUMENT), &source(&new), &set(&adds), true);
    assert_eq!(rebase.unwrap().files, []);
}
