//! A new document that no longer says how a parameter is written.

use serde_json::Value;
use xtask::overrides::{OverrideSet, Verdict, judge};
use xtask::rebase::rebase;

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
    // What the old document left to the default stays there.
    let moved = rebase(&silent, &with(""), &none, true).unwrap();
    assert_eq!(moved.styled.names, [""; 0]);
}
