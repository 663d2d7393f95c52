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

/// A document that has what an override corrects may say it in other words, or with less: a person deletes the override.
#[test]
fn a_correction_that_is_published_in_other_words_is_outdated() {
    let corrected = "        sort: {$ref: '#/components/schemas/Kind', description: Of it.}\n";
    let (before, after) = DOCUMENT.split_once("        kind:").unwrap();
    let (_, after) = after.split_once('\n').unwrap();
    let new = format!("{before}{corrected}{after}");
    for (actions, new) in [
        (RENAMES, &new),
        (VALUES, &DOCUMENT.replace("enum: [a, b]", "enum: [A, B]")),
        (VALUES, &DOCUMENT.replace("enum: [a, b]", "enum: [A, b]")),
    ] {
        let (_, verdict, _) = followed(actions, new);
        assert_eq!(verdict, Verdict::Outdated, "{new}");
    }
    // One that says all of it is retired.
    let all = "        sort: {$ref: '#/components/schemas/Kind'}\n";
    let new = format!(
        "{before}{all}        kind:{}",
        DOCUMENT.split_once("        kind:").unwrap().1
    );
    assert_eq!(followed(SAME, &new).1, Verdict::Retired);
}
