//! Values that are set aside, and where they and failures are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{body, decode, read_in};
use crate::decode::nullable::Nullable;
use crate::decode::reader::Mode;
use crate::wire::object;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Page {
    pub(super) offset: Option<i64>,
    pub(super) ratings: Vec<u8>,
    totals: BTreeMap<String, u8>,
    next: Option<Box<Page>>,
}
object!(Page {
    offset: optional "offset",
    ratings: entries "ratings",
    totals: entries "totals",
    next: optional "next",
});

/// Decodes a page. Also returns pointer, reason and value of everything set aside.
pub(super) fn page(text: &str) -> (Option<Page>, Vec<(String, String, String)>) {
    let (page, left_out) = body(text);
    let left_out = left_out.into_iter().map(|one| {
        let (why, _) = one
            .message
            .split_once(" at line")
            .unwrap_or((&one.message, ""));
        (one.pointer, why.to_owned(), one.raw.get().to_owned())
    });
    (page, left_out.collect())
}

fn left_out(pointer: &str, why: &str, raw: &str) -> (String, String, String) {
    (pointer.to_owned(), why.to_owned(), raw.to_owned())
}

#[test]
fn an_optional_value_that_does_not_match_is_set_aside() {
    for (text, count) in [
        (r#"{"offset": "a", "ratings": [1], "totals": {"a": 1}}"#, 1),
        (
            r#"{"offset": 1e999, "ratings": [1], "totals": {"a": 1}}"#,
            1,
        ),
        (
            r#"{"offset": null, "ratings": [1, null], "totals": {"a": 1}}"#,
            0,
        ),
    ] {
        let (page, left_out) = page(text);
        let page = page.unwrap();
        assert_eq!(
            (
                page.offset,
                &*page.ratings,
                page.totals.len(),
                left_out.len()
            ),
            (None, &[1][..], 1, count)
        );
        assert_eq!(read_in::<Page>(Mode::Strict, text).is_ok(), count == 0);
    }
    let (read, found) = page(r#"{"offset": 1.0, "ratings": {}, "totals": [1]}"#);
    assert_eq!(
        read.unwrap(),
        Page {
            offset: Some(1),
            ..Page::default()
        }
    );
    assert_eq!(
        found,
        [
            left_out("/ratings", "invalid type: object, expected an array", "{}"),
            left_out("/totals", "invalid type: array, expected an object", "[1]"),
        ]
    );
    assert_eq!(page(r#"{"offset": 1"#).0, None);
}

#[test]
fn a_bad_element_or_member_loses_no_other() {
    let text = r#"{"ratings": [1, "x", null, 300, 2.0, "3"], "totals": {"a": 1, "b/c": "many", "c": null, "d": 2.0}}"#;
    let (read, found) = page(text);
    let read = read.unwrap();
    assert_eq!(read.ratings, [1, 2, 3]);
    let totals = [("a".to_owned(), 1), ("d".to_owned(), 2)];
    assert_eq!(read.totals, BTreeMap::from(totals));
    let places: Vec<_> = found.iter().map(|one| (&*one.0, &*one.2)).collect();
    assert_eq!(
        places,
        [
            ("/ratings/1", "\"x\""),
            ("/ratings/3", "300"),
            ("/totals/b~1c", "\"many\"")
        ]
    );
}

#[derive(Debug)]
struct Strict {
    list: Vec<u8>,
    count: u8,
}
object!(Strict {
    list: content_entries "list",
    count: required "count",
});

#[derive(Debug)]
struct Owner {
    strict: Option<Strict>,
}
object!(Owner {
    strict: optional "strict",
});

#[test]
fn values_inside_a_set_aside_value_are_not_set_aside_too() {
    let text =
        r#"{"offset": 1, "next": {"ratings": ["x"], "next": {"totals": {"a": "b"}, "offset": 2}}}"#;
    let (read, found) = page(text);
    let places: Vec<_> = found.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(places, ["/next/ratings/0", "/next/next/totals/a"]);
    assert_eq!(read.unwrap().next.unwrap().next.unwrap().offset, Some(2));

    let (owner, found) = body::<Owner>(r#"{"strict": {"list": ["x"], "count": "many"}}"#);
    assert!(owner.unwrap().strict.is_none());
    assert_eq!((found.len(), &*found[0].pointer), (1, "/strict"));
    assert!(
        found[0].message.starts_with("at `/count`: invalid type"),
        "{:?}",
        found[0]
    );
    let (owner, found) = body::<Owner>(r#"{"strict": {"list": [1, "x"], "count": "7"}}"#);
    let strict = owner.unwrap().strict.unwrap();
    assert_eq!((strict.list, strict.count, found.len()), (vec![1], 7, 1));
}

#[test]
fn null_is_distinguished_from_absent_and_set_aside_values() {
    #[derive(Debug)]
    struct About {
        level: Nullable<u8>,
        labels: Nullable<Vec<u8>>,
        list: Option<Vec<Option<u64>>>,
        map: BTreeMap<String, Option<u64>>,
        any: Vec<Value>,
    }
    object!(About {
        level: nullable "level",
        labels: nullable_entries "labels",
        list: some_entries "list",
        map: entries "map",
        any: entries "any",
    });
    let (absent, null) = (Nullable::Absent, Nullable::Null);
    #[rustfmt::skip]
    let table = [
        ("{}", (absent, Nullable::Absent, 0)),
        (r#"{"level": null, "labels": null}"#, (null, Nullable::Null, 0)),
        (r#"{"level": 1, "labels": []}"#, (1.into(), vec![].into(), 0)),
        (r#"{"level": "x", "labels": {}}"#, (absent, Nullable::Absent, 2)),
        (r#"{"labels": [1, "x", null]}"#, (absent, vec![1].into(), 1)),
    ];
    for (text, expected) in table {
        let (about, left_out) = body::<About>(text);
        let about = about.unwrap();
        assert_eq!(
            (about.level, about.labels, left_out.len()),
            expected,
            "{text}"
        );
        assert!(about.list.is_none() && about.map.is_empty());
    }
    let text =
        r#"{"list": [1, null, "x", 2], "map": {"a": null, "b": 1, "c": {}}, "any": [null, 1]}"#;
    let (about, left_out) = body::<About>(text);
    let about = about.unwrap();
    assert_eq!(about.list.unwrap(), [Some(1), None, Some(2)]);
    assert_eq!(
        about.map,
        BTreeMap::from([("a".to_owned(), None), ("b".to_owned(), Some(1))])
    );
    assert_eq!(about.any, [Value::Null, 1.into()]);
    assert_eq!(left_out.len(), 2);
}

#[test]
fn a_failure_is_located_by_an_escaped_pointer() {
    type Nested = BTreeMap<String, Vec<u8>>;
    for (text, expected) in [
        (r#"{"a": [1, 2, "x"]}"#, "/a/2"),
        (r#"{"a/b~c": [true]}"#, "/a~1b~0c/0"),
        (r#"[]"#, ""),
        (r#"{} trailing"#, ""),
        (r#"{"a": [1, 2"#, "/a"),
        (r#"{"a": [1, tru]}"#, "/a/1"),
    ] {
        let located = decode::<Nested>(text.as_bytes()).unwrap_err();
        assert_eq!(located.pointer, expected, "{text}: {}", located.message);
    }
    let strings = decode::<Nested>(br#"{"a": [1, "secret"]}"#).unwrap_err();
    assert_eq!(
        strings.message,
        "invalid type: string, expected a whole number at line 1 column 11"
    );
    assert!(decode::<Nested>(b"{}").unwrap().is_empty());
}

#[test]
fn a_place_behind_what_is_no_text_is_found() {
    #[derive(Debug)]
    struct Odd {
        _a: BTreeMap<String, u8>,
        _b: Option<u8>,
    }
    object!(Odd {
        _a: entries "a",
        _b: optional "b",
    });
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for (a, first) in [
        (r#"{"\ud800": 1}"#, "/a"),
        (&*format!(r#"{{"x": {deep}}}"#), "/a/x"),
    ] {
        let (odd, asides) = body::<Odd>(&format!(r#"{{"a": {a}, "b": "x"}}"#));
        let places: Vec<&str> = asides.iter().map(|one| &*one.pointer).collect();
        assert!(odd.is_some() && places == [first, "/b"], "{places:?}");
    }
}
