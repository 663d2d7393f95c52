//! Members with several names, members that an object needs, and all others.

use std::collections::BTreeMap;

use super::{body, decode};
use crate::wire::object;

#[derive(Debug, PartialEq)]
struct Named {
    id: Option<String>,
    count: i64,
    extra: BTreeMap<String, u8>,
}
object!(Named {
    id: optional "id" | "uuid",
    count: required "count" | "total",
} needs [id, count] others extra);

#[test]
fn a_member_is_found_by_each_of_its_names_and_its_own_wins() {
    let read = |text: &str| {
        body::<Named>(text)
            .0
            .map(|one| (one.id, one.count, one.extra.len()))
    };
    let id = |text: &str| Some(text.to_owned());
    #[rustfmt::skip]
    let table = [
        (r#"{"id": "a", "count": 1}"#, Some((id("a"), 1, 0))),
        (r#"{"uuid": "b", "total": 2}"#, Some((id("b"), 2, 0))),
        (r#"{"uuid": "b", "id": "a", "total": 2, "count": 1}"#, Some((id("a"), 1, 0))),
        (r#"{"id": "a", "uuid": "b", "count": 1, "total": 2}"#, Some((id("a"), 1, 0))),
        (r#"{"id": null, "uuid": "b", "count": null, "total": 2}"#, Some((id("b"), 2, 0))),
        (r#"{"uuid": "b", "id": null, "total": 2, "count": null}"#, Some((id("b"), 2, 0))),
        (r#"{"id": "a", "uuid": null, "count": 1, "x": 1, "y": "z"}"#, Some((id("a"), 1, 1))),
        (r#"{"count": null}"#, None),
        (r#"{"id": "a"}"#, None),
        ("{}", None),
    ];
    for (text, expected) in table {
        assert_eq!(read(text), expected, "{text}");
    }
    let failure = decode::<Named>(b"{}").unwrap_err();
    assert_eq!(
        failure.message,
        "expected an object with `id` or `uuid` or `count` or `total`; it is empty"
    );
    let failure = decode::<Named>(br#"{"id": "a", "more": 1}"#).unwrap_err();
    assert_eq!(
        failure.message,
        "expected an object with `count`; it has `id`, `more`"
    );
    for text in ["[]", "[1]", "null", "7", "\"a\""] {
        let refusal = decode::<Named>(text.as_bytes()).unwrap_err().message;
        assert!(refusal.contains("expected an object"), "{text}: {refusal}");
    }
}

#[test]
fn a_name_is_compared_as_it_is_written() {
    #[derive(Debug)]
    struct Signs {
        _a: Option<u8>,
    }
    object!(Signs {
        _a: optional "a\\b",
    });
    let of = |text: &str| body::<Signs>(text).0.unwrap()._a;
    assert_eq!((of(r#"{"a\b": 1}"#), of(r#"{"a\\b": 1}"#)), (None, Some(1)));
}
