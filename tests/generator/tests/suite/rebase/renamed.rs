//! Tests of guard keys that are names in the document and that the new document renames.

use openapi_overrides::{OverrideSet, Verdict, judge, rebase};
use serde_json::json;

use super::{DOCUMENT, file, source};
use crate::support::Workspace;

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
