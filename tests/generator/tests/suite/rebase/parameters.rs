//! Tests of a new document that omits keywords of a parameter.

use openapi_overrides::{OverrideSet, Verdict, judge, rebase};
use serde_json::Value;

use super::nulls::DOCUMENT;
use super::source;

#[test]
fn a_style_that_is_no_longer_said_is_kept_where_a_person_accepts_it() {
    let with = |said: &str| {
        let list = "{type: array, items: {type: string}}";
        let parameter = format!(
            "operationId: things\n      parameters:\n        - {{name: kinds, in: query{said}, schema: {list}}}"
        );
        source(&DOCUMENT.replace("operationId: things", &parameter))
    };
    let (old, silent) = (with(", style: form, explode: false"), with(""));
    let none = OverrideSet::default();
    for (new, accept, expected) in [
        (&silent, true, Some("Kept")),
        (&silent, false, Some("Decide")),
        (&with(", explode: true"), true, None),
        (&with(", explode: false"), true, None),
    ] {
        let moved = rebase(&old, new, &none, accept).unwrap();
        let mut lines = moved.lines(false).into_iter();
        let line = lines.find(|(_, text)| text.contains("`kinds`"));
        assert_eq!(line.map(|(verb, _)| verb), expected);
        assert_eq!(moved.files.len(), usize::from(expected == Some("Kept")));
        let judged = judge(new, &moved.set);
        let explode = judged
            .document
            .pointer("/paths/~1things/get/parameters/0/explode");
        if expected == Some("Kept") {
            assert_eq!(judged.all[0].verdict, Verdict::Applied);
            assert_eq!(explode, Some(&Value::Bool(false)));
        }
    }
    // A default of the old document stays a default.
    let moved = rebase(&silent, &with(""), &none, true).unwrap();
    assert_eq!(moved.silent.places, [""; 0]);
}

#[test]
fn bounds_that_are_no_longer_said_are_kept_where_a_person_accepts_it() {
    let with = |schema: &str| {
        let parameter = format!(
            "operationId: things\n      parameters:\n        - {{name: limit, in: query, schema: {{{schema}}}}}"
        );
        source(&DOCUMENT.replace("operationId: things", &parameter))
    };
    let old = with("type: integer, minimum: 0, maximum: 50, default: 10");
    let silent = with("type: integer");
    let none = OverrideSet::default();
    for (new, accept, expected) in [
        (&silent, true, Some("Kept")),
        (&silent, false, Some("Decide")),
        // The other bounds are dropped, since the document still has some.
        (&with("type: integer, maximum: 80"), true, None),
        (&with("type: string"), true, None),
        (&with("type: integer, default: 5"), true, None),
        (&old, true, None),
    ] {
        let moved = rebase(&old, new, &none, accept).unwrap();
        let mut lines = moved.lines(false).into_iter();
        let line = lines.find(|(_, text)| text.contains("`limit`"));
        assert_eq!(line.map(|(verb, _)| verb), expected);
        let judged = judge(new, &moved.set);
        let schema = "/paths/~1things/get/parameters/0/schema";
        let [before, after] = [&old.value, &judged.document].map(|one| one.pointer(schema));
        assert_eq!(
            before == after,
            expected == Some("Kept") || new.value == old.value
        );
        assert!(judged.all.iter().all(|one| one.verdict == Verdict::Applied));
    }
}

#[test]
fn the_length_of_a_text_is_kept_where_it_stood_in_a_component() {
    let parameter = "operationId: things\n      parameters:\n        - {name: text, in: query, schema: {type: string}}";
    let new = DOCUMENT.replace("operationId: things", parameter);
    let reference = "schema: {$ref: '#/components/schemas/Text'}";
    let old = new.replace("schema: {type: string}}", &format!("{reference}}}"));
    let text = "schemas:\n    Text: {type: string, minLength: 1}";
    let old = source(&old.replacen("schemas:", text, 1));
    let moved = rebase(&old, &source(&new), &OverrideSet::default(), true).unwrap();
    let judged = judge(&source(&new), &moved.set);
    let schema = judged
        .document
        .pointer("/paths/~1things/get/parameters/0/schema");
    assert_eq!(
        schema.and_then(|schema| schema.get("minLength")),
        Some(&1.into())
    );
}
