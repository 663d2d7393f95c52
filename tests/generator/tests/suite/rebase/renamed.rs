//! Tests of guard keys that are names in the document and that the new document renames.

use openapi_overrides::{OverrideSet, Verdict};

use super::{DOCUMENT, followed, set, text};

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
