//! Tests of guard keys that are names in the document and that the new document renames.

use openapi_overrides::{Verdict, judge, rebase};
use serde_json::json;

use super::{DOCUMENT, set, source};

const KIND: &str = "  - target: $.components.schemas
    x-expect: {Kind: {description: null, enum: [a, b]}}
    update: {Kind: {description: The kind.}}
";

/// An alias of a property that the document renames.
const ALIAS: &str = "  - target: $.components.schemas.Thing.properties.kind
    x-expect: {x-aliases: null}
    update: {x-aliases: [type, sort]}
";

#[test]
fn the_names_that_a_property_had_stay_readable() {
    let new = DOCUMENT.replace("        kind:", "        sort:");
    for (actions, aliases) in [(KIND, json!(["kind"])), (ALIAS, json!(["type", "kind"]))] {
        let set = set(actions);
        let rebase = rebase(&source(DOCUMENT), &source(&new), &set, false).unwrap();
        let judged = judge(&source(&new), &rebase.set);
        for one in &judged.all {
            assert_eq!(one.verdict, Verdict::Applied, "{}", one.applied.by.id);
        }
        let properties = &judged.document["components"]["schemas"]["Thing"]["properties"];
        let sort = &properties["sort"];
        assert_eq!(sort["x-aliases"], aliases, "{:?}", rebase.files);
        assert!(properties.get("kind").is_none());
        // A second document without a change adds nothing.
        let again = openapi_overrides::rebase(&source(&new), &source(&new), &rebase.set, false);
        assert_eq!(again.unwrap().files, []);
    }
}
