//! Tests of corrections that the new document includes.

use openapi_overrides::Verdict;

use super::{DOCUMENT, followed};

const RENAMES: &str = "  - target: $.components.schemas.Thing.properties
    x-expect: {sort: null}
    update: {sort: {$ref: '#/components/schemas/Kind', description: Its kind., x-aliases: [kind]}}
  - target: $.components.schemas.Thing.properties.kind
    x-expect: {$ref: '#/components/schemas/Kind'}
    remove: true
";

const VALUES: &str = "  - target: $.components.schemas.Kind.enum
    x-expect: [a, b]
    remove: true
  - target: $.components.schemas.Kind
    x-expect: {enum: [a, b]}
    update: {enum: [A, B], x-aliases: {A: [a], B: [b]}}
";

const SAME: &str = "  - target: $.components.schemas.Thing.properties
    x-expect: {sort: null}
    update: {sort: {$ref: '#/components/schemas/Kind'}}
";

/// A document that has what an override adds retires it. One with other values than it was written against is for a person.
#[test]
fn a_correction_that_is_published_is_retired_and_other_values_are_outdated() {
    let corrected = "        sort: {$ref: '#/components/schemas/Kind', description: Of it.}\n";
    let (before, after) = DOCUMENT.split_once("        kind:").unwrap();
    let (_, after) = after.split_once('\n').unwrap();
    let new = format!("{before}{corrected}{after}");
    // The earlier name is read as that of any renamed property is.
    let (rebase, _, document) = followed(RENAMES, &new);
    assert_eq!(rebase.retired.len(), 1);
    let sort = &document["components"]["schemas"]["Thing"]["properties"]["sort"];
    assert_eq!(sort["x-aliases"], serde_json::json!(["kind"]));
    for values in ["enum: [A, B]", "enum: [A, b]"] {
        let new = DOCUMENT.replace("enum: [a, b]", values);
        assert_eq!(followed(VALUES, &new).1, Verdict::Outdated, "{new}");
    }
    // One that says all of it is retired.
    let all = "        sort: {$ref: '#/components/schemas/Kind'}\n";
    let new = format!(
        "{before}{all}        kind:{}",
        DOCUMENT.split_once("        kind:").unwrap().1
    );
    assert_eq!(followed(SAME, &new).1, Verdict::Retired);
}
