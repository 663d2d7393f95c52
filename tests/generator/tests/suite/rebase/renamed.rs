//! Tests of guard keys that are names in the document and that the new document renames.

use openapi_overrides::{OverrideSet, Verdict, judge, rebase};
use serde_json::json;

use super::{DOCUMENT, file, followed, set, source, text};
use crate::support::Workspace;

const KIND: &str = "  - target: $.components.schemas
    x-expect: {Kind: {description: null, enum: [a, b]}}
    update: {Kind: {description: The kind.}}
";

const PATH: &str = "  - target: $.paths
    x-expect: {'/v1/things/{id}': {get: {deprecated: null}}}
    update: {'/v1/things/{id}': {get: {deprecated: false}}}
";

/// Returns the guard of the only action.
fn guard(set: &OverrideSet) -> String {
    let guard = set.overrides[0].overlay.actions[0].guard.clone();
    guard.unwrap().to_string()
}

#[test]
fn a_guard_has_the_new_name_and_the_old_text_where_both_changed() {
    for (actions, from, to, edit) in [
        (KIND, "Kind", "Sort", ("enum: [a, b]", "enum: [a, b, c]")),
        (
            PATH,
            "/v1/",
            "/v2/",
            (
                "operationId: thing",
                "deprecated: true\n      operationId: thing",
            ),
        ),
    ] {
        let renamed = DOCUMENT.replace(from, to);
        let (rebase, verdict, _) = followed(actions, &renamed);
        assert_eq!(verdict, Verdict::Applied, "{}", text(&rebase));
        assert_eq!(rebase.decisions, []);
        let wanted = guard(&set(actions)).replace(from, to);
        assert_eq!(guard(&rebase.set), wanted);

        let (rebase, verdict, _) = followed(actions, &renamed.replace(edit.0, edit.1));
        assert_eq!(verdict, Verdict::Outdated, "{}", text(&rebase));
        assert_eq!(rebase.decisions.len(), 1);
        assert_eq!(guard(&rebase.set), wanted);
    }
}

/// An alias of a property that the document renames.
const ALIAS: &str = "  - target: $.components.schemas.Thing.properties.kind
    x-expect: {x-aliases: null}
    update: {x-aliases: [type, sort]}
";

/// A property of the new document has its own values, which an alias of that name would swallow.
#[test]
fn a_new_property_is_no_alias() {
    let kind = "        kind: {$ref: '#/components/schemas/Kind'}\n";
    let with = |more: &str| DOCUMENT.replace(kind, &format!("{kind}        {more}\n"));
    let part = "      allOf: [{properties: {sort: {type: integer}}}]\n    Kind:\n";
    let many = ALIAS.replace("[type, sort]", "[sort]");
    for (old, new, actions, left) in [
        (
            DOCUMENT,
            with("sort: {$ref: '#/components/schemas/Kind'}"),
            ALIAS,
            json!(["type"]),
        ),
        (
            DOCUMENT,
            with("sort: {type: integer}"),
            ALIAS,
            json!(["type"]),
        ),
        (DOCUMENT, with("sort: {type: integer}"), &many, json!(null)),
        (
            DOCUMENT,
            DOCUMENT.replace("    Kind:\n", part),
            ALIAS,
            json!(["type"]),
        ),
        // The old document had both, so that tools find both.
        (
            &with("sort: {$ref: '#/components/schemas/Kind'}"),
            with("sort: {$ref: '#/components/schemas/Kind'}\n        size: {type: integer}"),
            ALIAS,
            json!(["type", "sort"]),
        ),
        // A property with another name takes its old one along.
        (
            DOCUMENT,
            with("sort: {type: integer}").replace("        kind:", "        class:"),
            ALIAS,
            json!(["type", "kind"]),
        ),
        // Nothing that is kept for callers gives it back.
        (
            DOCUMENT,
            DOCUMENT.replace("    Kind:\n", part),
            &many,
            json!(null),
        ),
    ] {
        let rebase = rebase(&source(old), &source(&new), &set(actions), true).unwrap();
        let judged = judge(&source(&new), &rebase.set);
        let properties = &judged.document["components"]["schemas"]["Thing"]["properties"];
        let property = properties.get("kind").unwrap_or(&properties["class"]);
        let found = property.get("x-aliases").cloned().unwrap_or_default();
        assert_eq!(found, left, "{new} {:?}", rebase.files);
    }
}

#[test]
fn the_names_that_a_property_had_stay_readable() {
    let new = DOCUMENT.replace("        kind:", "        sort:");
    for (family, actions, aliases) in [
        ("assumed", KIND, json!(["kind"])),
        ("assumed", ALIAS, json!(["type", "kind"])),
    ] {
        let path = format!("overrides/{family}/one.yaml");
        let workspace = Workspace::with(DOCUMENT).file(&path, &file(actions));
        let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
        let rebase = rebase(&source(DOCUMENT), &source(&new), &set, false).unwrap();
        let judged = judge(&source(&new), &rebase.set);
        let verdicts: Vec<Verdict> = judged.all.iter().map(|one| one.verdict).collect();
        assert!(
            verdicts.iter().all(|one| *one == Verdict::Applied),
            "{verdicts:?}"
        );
        let properties = &judged.document["components"]["schemas"]["Thing"]["properties"];
        assert_eq!(
            properties["sort"]["x-aliases"], aliases,
            "{:?}",
            rebase.files
        );
        assert!(properties.get("kind").is_none());
        // A second document without a change adds nothing.
        let again = openapi_overrides::rebase(&source(&new), &source(&new), &rebase.set, false);
        assert_eq!(again.unwrap().files, []);
    }
}
