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

/// A document that has what an override adds or writes in place of another value retires it, except for its extensions. One with other values
/// is for a person.
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
    for (values, verdict) in [
        ("enum: [A, B]", Verdict::Applied),
        ("enum: [A, b]", Verdict::Outdated),
        ("enum: [A, B, C]", Verdict::Outdated),
    ] {
        let new = DOCUMENT.replace("enum: [a, b]", values);
        let (_, judged, document) = followed(VALUES, &new);
        assert_eq!(judged, verdict, "{new}");
        if verdict == Verdict::Applied {
            let kind = &document["components"]["schemas"]["Kind"];
            assert_eq!(kind["enum"], serde_json::json!(["A", "B"]));
            assert_eq!(kind["x-aliases"]["A"], serde_json::json!(["a"]));
        }
    }
    // One that says all of it is retired.
    let all = "        sort: {$ref: '#/components/schemas/Kind'}\n";
    let new = format!(
        "{before}{all}        kind:{}",
        DOCUMENT.split_once("        kind:").unwrap().1
    );
    assert_eq!(followed(SAME, &new).1, Verdict::Retired);
}

/// Further members are allowed by a keyword, and without it.
#[test]
fn members_that_are_allowed_without_a_word_are_still_allowed() {
    let actions = "  - target: $.components.schemas.Thing.additionalProperties
    x-expect: true
    remove: true
  - target: $.components.schemas.Thing
    x-expect: {additionalProperties: true}
    update: {additionalProperties: {description: Others.}}
";
    let old = super::edited(
        "    Thing:\n",
        "    Thing:\n      additionalProperties: true\n",
    );
    for (members, verdict) in [
        ("", Verdict::Applied),
        ("      additionalProperties: false\n", Verdict::Outdated),
    ] {
        let new = super::edited("    Thing:\n", &format!("    Thing:\n{members}"));
        let (old, new) = (super::source(&old), super::source(&new));
        let moved = super::rebase(&old, &new, &super::set(actions), false).unwrap();
        let judged = super::judge(&new, &moved.set);
        assert_eq!(judged.all[0].verdict, verdict, "{members}");
    }
}
