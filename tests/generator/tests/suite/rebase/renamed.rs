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
