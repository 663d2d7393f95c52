//! Tests with the shapes of a few types, and deviating bodies.

#![expect(
    unreachable_pub,
    reason = "the items of enumerations are public in a generated crate"
)]

use std::collections::BTreeMap;

use std::sync::Arc;

use http::Method;
use serde_json::Value;

use super::*;
use crate::document::api::Operation;
use crate::document::shape::{Shape, Shaped};
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;
use crate::values::Loose;
use crate::wire::{object, open_enum, union};

static GET: Operation = Operation {
    id: "getPage",
    method: Method::GET,
    path: "/page",
    extension: None,
    response: Page::SHAPE,
};

struct Page {
    total: Option<i64>,
    items: Vec<Item>,
    by_key: BTreeMap<String, Item>,
    anything: Option<Value>,
    free: Option<Open>,
}
object!(Page {
    total: optional "total" or omitted,
    items: entries "items" or omitted,
    by_key: entries "by_key" or omitted,
    anything: optional "anything" or omitted,
    free: optional "free" or omitted,
});

struct Item {
    title: Option<String>,
    kind: Option<Kind>,
    score: Option<f64>,
    new: Option<bool>,
    next: Option<Box<Item>>,
    link: Option<String>,
    loose: Loose<Coded>,
    union: Option<Union>,
    strict: Option<Strict>,
    gaps: Vec<Option<String>>,
}
object!(Item {
    title: optional "title" or omitted,
    kind: optional "kind" or omitted,
    score: optional "score" or omitted,
    new: optional "new" or omitted,
    next: optional "next" | "a/b~c" or omitted,
    link: optional "link" | "url" | "href" or omitted,
    loose: defaulted "loose" or omitted,
    union: optional "union" or omitted,
    strict: optional "strict" or omitted,
    gaps: entries "gaps" or omitted,
});

struct Strict {
    id: Option<String>,
    link: String,
}
object!(Strict {
    id: optional "id" or missing,
    link: required "link" | "url",
});

#[derive(Clone)]
enum Kind {
    Novel,
    Poem,
    Unrecognized(String),
}
open_enum!(Kind, Novel = "Novel" | "novel", Poem = "Poem");

struct Coded {
    code: Option<Kind>,
}
object!(Coded {
    code: optional "code" or omitted,
});

/// A union with itself and two objects: an enum value of one object is another spelling in the other.
enum Union {
    Itself(Box<Union>),
    Whole(i64),
    Labelled(Labelled),
    Coded(Coded),
    Kinds(Vec<Kind>),
    Unrecognized(Value),
}
union!(Union else Likeliest {
    Itself: boxed value = Form::Map,
    Whole: plain value = Form::Number,
    Labelled: plain value = Form::Map,
    Coded: plain value = Form::Map,
    Kinds: plain collection = Form::List,
});

struct Labelled {
    label: Option<String>,
}
object!(Labelled {
    label: optional "label" | "code" | "name" or omitted,
});

struct Open {
    code: Option<Kind>,
    others: BTreeMap<String, Value>,
}
object!(Open {
    code: optional "code" | "url" or omitted,
} others others);

fn lines(body: &str) -> Vec<String> {
    let drift = drift(body.as_bytes(), &GET);
    drift.iter().map(ToString::to_string).collect()
}

fn item(item: &str) -> Vec<String> {
    lines(&format!(r#"{{"items": [{item}]}}"#))
}

const NONE: [&str; 0] = [];

#[test]
fn documented_content_is_not_drift() {
    assert_eq!(
        lines(
            r#" {"total": 2, "items": [{"title": "a", "kind": "Novel", "score": 1, "new": true, "next": {"kind": ""}},
                {"score": 1.5e3, "link": "", "union": 1}], "by_key": {"x": {"title": "b"}}, "anything": {"what": [1]}} "#
        ),
        NONE
    );
    assert_eq!(lines("{}"), NONE);
}

#[test]
fn null_is_drift_where_an_element_is_left_out_for_it() {
    assert_eq!(lines("null"), NONE);
    assert_eq!(
        lines(
            r#"{"total": null, "items": null, "by_key": null, "unknown": null, "free": {"x": null}}"#
        ),
        NONE
    );
    assert_eq!(item(r#"{"url": null, "kind": null, "next": null}"#), NONE);
    assert_eq!(item(r#"{"gaps": [null, "a"], "loose": [null]}"#), NONE);
    assert_eq!(
        lines(r#"{"items": [null, {}, null], "by_key": {"x": null, "y": {"union": [null]}}}"#),
        [
            "/by_key/x: of type null, documented as object",
            "/by_key/y/union/0: of type null, documented as string",
            "/items/0: of type null, documented as object (2 times)",
        ]
    );
}

#[test]
fn an_empty_or_invalid_body_has_no_drift() {
    for body in [
        "",
        " ",
        "<html>",
        "{\"a\": 1",
        "{\"a\": 1} x",
        "[1",
        "[1] x",
        "\"x",
        "1.",
        "\u{c}{\"a\": 1}",
    ] {
        assert_eq!(lines(body), NONE, "{body}");
    }
    assert_eq!(drift(b"\"\xff\"", &GET), []);
}

#[test]
fn unknown_fields_are_found_at_any_depth_without_their_content() {
    assert_eq!(
        lines(
            r#"{"a": {"b": 1}, "items": [{"next": {"next": {"new_one": []}}}], "by_key": {"x": {"y": 1}}}"#
        ),
        [
            "/a: an undocumented property",
            "/by_key/x/y: an undocumented property",
            "/items/0/next/next/new_one: an undocumented property",
        ]
    );
}

#[test]
fn pointers_are_escaped_and_lines_are_one_line() {
    assert_eq!(
        lines(r#"{"a/b~c": 1, "d\n\u001b[31m": 2, "": 3, "é": 4}"#),
        [
            "/: an undocumented property",
            "/a~1b~0c: an undocumented property",
            "/d\\n\\u{1b}[31m: an undocumented property",
            "/é: an undocumented property",
        ]
    );
    let found = drift(br#"{"d\n": 2}"#, &GET);
    assert_eq!(found.first().unwrap().pointer, r"/d\n");
}

#[test]
fn the_alternate_form_has_all_facts_to_correct_the_document() {
    let body = br#"{"a": [1], "total": "x", "items": [{"kind": "Haiku"}, {"kind": "novel"}, {"a": 1.5}, {"a": 2}]}"#;
    let found: Vec<String> = drift(body, &GET)
        .iter()
        .map(|drift| format!("{drift:#}"))
        .collect();
    assert_eq!(
        found,
        [
            "getPage /a: an undocumented property of type array",
            "getPage /items/0/kind: `Haiku`, an undocumented enum value",
            "getPage /items/1/kind: `novel`, documented as `Novel`",
            "getPage /items/2/a: an undocumented property of type number (2 times)",
            "getPage /total: of type string, documented as integer",
        ]
    );
}

#[test]
fn a_pointer_is_never_long() {
    let name = "n".repeat(1_000_000);
    let found = drift(
        format!(r#"{{"{name}": 2, "by_key": {{"{name}\n": {{"y": 1}}}}}}"#).as_bytes(),
        &GET,
    );
    assert_eq!(found.len(), 2);
    for drift in found {
        assert_eq!(drift.pointer.chars().count(), 201, "{drift}");
        assert!(drift.to_string().chars().count() < 300);
    }
}

#[test]
fn unknown_enum_values_are_quoted_and_long_ones_are_cut() {
    assert_eq!(
        item(r#"{"kind": "Haiku"}, {"kind": "Poem"}, {"kind": "Haiku"}, {"kind": "a\nb"}"#),
        [
            "/items/0/kind: `Haiku`, an undocumented enum value (2 times)",
            "/items/3/kind: `a\\nb`, an undocumented enum value",
        ]
    );
    for (length, shown) in [(64, "é".repeat(64)), (65, "é".repeat(63) + "…")] {
        let body = format!(r#"{{"items": [{{"kind": "{}"}}]}}"#, "é".repeat(length));
        let found = drift(body.as_bytes(), &GET);
        assert_eq!(
            found.first().unwrap().kind,
            DriftKind::UnknownEnumValue(shown)
        );
    }
}

#[test]
fn aliases_are_reported_with_the_documented_name() {
    assert_eq!(
        item(
            r#"{"url": "x"}, {"href": "x"}, {"kind": "novel"}, {"a/b~c": {"url": "y"}}, {"link": 1}, {"url": 1}"#
        ),
        [
            "/items/0/url: `url`, documented as `link` (2 times)",
            "/items/1/href: `href`, documented as `link`",
            "/items/2/kind: `novel`, documented as `Novel`",
            "/items/3/a~1b~0c: `a/b~c`, documented as `next`",
            "/items/3/a~1b~0c/url: `url`, documented as `link`",
            "/items/4/link: of type integer, documented as string",
            "/items/5/url: of type integer, documented as string",
        ]
    );
}

#[test]
fn a_value_of_another_type_is_reported_without_the_value() {
    for (field, types) in [
        (r#""title": 1"#, "integer, documented as string"),
        (r#""title": {}"#, "object, documented as string"),
        (r#""kind": true"#, "boolean, documented as string"),
        (r#""score": "1""#, "string, documented as number"),
        (r#""new": 0"#, "integer, documented as boolean"),
        (r#""next": []"#, "array, documented as object"),
        (
            r#""union": "secret""#,
            "string, documented as array or integer or object",
        ),
    ] {
        let (name, _) = field.split_once(':').unwrap();
        let name = name.trim_matches('"');
        let expected = format!("/items/0/{name}: of type {types}");
        assert_eq!(item(&format!("{{{field}}}")), [expected]);
    }
    assert_eq!(
        lines("[]"),
        ["the body: of type array, documented as object"]
    );
    assert_eq!(
        lines(r#"{"items": [[]]}"#),
        ["/items/0: of type array, documented as object"]
    );
}

#[test]
fn an_integer_is_a_number_without_a_fraction_in_any_spelling() {
    for (number, is_integer) in [
        ("0", true),
        ("-1", true),
        ("1.0", true),
        ("1e3", true),
        ("1.5e0", false),
        ("1E400", false),
    ] {
        let found = lines(&format!(r#"{{"total": {number}}}"#));
        assert_eq!(found.is_empty(), is_integer, "{number}: {found:?}");
        assert_eq!(item(&format!(r#"{{"score": {number}}}"#)), NONE, "{number}");
    }
    assert_eq!(
        lines(r#"{"total": 1.5}"#),
        ["/total: of type number, documented as integer"]
    );
}

#[test]
fn equal_differences_of_elements_are_one_line() {
    let elements: Vec<String> = (0..100)
        .map(|index| format!(r#"{{"more": {index}, "kind": "Haiku", "next": {{"more": 1}}}}"#))
        .collect();
    let found = lines(&format!(
        r#"{{"items": [{}], "by_key": {{"a": {{"more": 1}}, "b": {{"more": 1}}}}}}"#,
        elements.join(",")
    ));
    assert_eq!(
        found,
        [
            "/by_key/a/more: an undocumented property (2 times)",
            "/items/0/kind: `Haiku`, an undocumented enum value (100 times)",
            "/items/0/more: an undocumented property (100 times)",
            "/items/0/next/more: an undocumented property (100 times)",
        ]
    );
}

#[test]
fn a_loose_value_has_no_wrong_type_but_its_content_is_compared() {
    for loose in [
        "1",
        "\"text\"",
        r#"{"code": "Novel"}"#,
        r#"[{"code": "Poem"}, 1, []]"#,
        "[]",
    ] {
        assert_eq!(item(&format!(r#"{{"loose": {loose}}}"#)), NONE, "{loose}");
    }
    assert_eq!(
        item(r#"{"loose": {"code": "Haiku"}}, {"loose": [{"codes": 1}]}"#),
        [
            "/items/0/loose/code: `Haiku`, an undocumented enum value",
            "/items/1/loose/0/codes: an undocumented property",
        ]
    );
}

#[test]
fn a_required_field_is_absent_or_null_under_all_of_its_names() {
    assert_eq!(
        item(r#"{"strict": {"id": "", "url": "a"}}, {"strict": null}, {}"#),
        ["/items/0/strict/url: `url`, documented as `link`"]
    );
    let body = r#"{"items": [{"strict": {"link": "a"}}, {"strict": {"id": null, "url": null}}]}"#;
    let found = drift(body.as_bytes(), &GET);
    let found: Vec<_> = found
        .iter()
        .map(|one| (&one.kind, one.pointer.as_str(), one.json_type, one.count))
        .collect();
    assert_eq!(
        found,
        [
            (&DriftKind::Missing, "/items/0/strict/id", "null", 1),
            (&DriftKind::Null, "/items/1/strict/id", "null", 1),
            (&DriftKind::Null, "/items/1/strict/link", "null", 1),
        ]
    );
    assert_eq!(
        item(r#"{"strict": {"link": null}}"#),
        [
            "/items/0/strict/id: missing, a required property",
            "/items/0/strict/link: null, a required property",
        ]
    );
}

#[test]
fn a_property_of_one_alternative_is_known() {
    for union in [
        "7",
        r#"{"code": "any text", "label": "x"}"#,
        r#"["Novel"]"#,
        "[]",
    ] {
        assert_eq!(item(&format!(r#"{{"union": {union}}}"#)), NONE, "{union}");
    }
    assert_eq!(
        item(r#"{"union": {"name": "x", "other": 1}}, {"union": ["Haiku"]}, {"union": 1.5}"#),
        [
            "/items/0/union/name: `name`, documented as `label`",
            "/items/0/union/other: an undocumented property",
            "/items/1/union/0: `Haiku`, an undocumented enum value",
            "/items/2/union: of type number, documented as array or integer or object",
        ]
    );
}

#[test]
fn an_object_with_members_of_any_name_still_knows_its_fields() {
    assert_eq!(
        lines(r#"{"free": {"code": "Haiku", "url": "Poem", "whatever": {"x": 1}}}"#),
        [
            "/free/code: `Haiku`, an undocumented enum value",
            "/free/url: `url`, documented as `code`",
        ]
    );
}

#[test]
fn a_number_beyond_all_types_hides_no_drift() {
    assert_eq!(
        lines(r#"{"anything": 1e999, "items": [{"score": 1e999, "more": -1e999}]}"#),
        ["/items/0/more: an undocumented property"]
    );
}

#[test]
fn deep_bodies_are_safe() {
    let nested = |depth, inside: &str| r#"{"next": "#.repeat(depth) + inside + &"}".repeat(depth);
    assert_eq!(item(&nested(10_000, r#"{"more": 1}"#)), NONE);
    // The comparison goes as deep as serde_json decodes.
    let deepest = nested(124, r#"{"more": 1}"#);
    serde_json::from_str::<Value>(&format!(r#"{{"items": [{deepest}]}}"#)).unwrap();
    assert_eq!(item(&deepest).len(), 1);
}

#[test]
fn circular_shapes_have_one_place_and_can_be_printed() {
    assert!(std::ptr::eq(Item::SHAPE, Shape::of::<Box<Item>>()));
    assert!(!std::ptr::eq(Item::SHAPE, Coded::SHAPE));
    let printed = format!("{:?} {:?}", Item::SHAPE, Union::SHAPE);
    assert!(
        printed.contains("title") && printed.contains("OneOf"),
        "{printed}"
    );
}

#[test]
fn two_responses_differ_by_the_members_of_their_records() {
    for (before, after, expected) in [
        (r#"{"total": 1}"#, r#"{"total": 1.0}"#, &[][..]),
        (r#"{"total": 1}"#, r#"{"total": 2}"#, &["/total: 1 → 2"]),
        (r#"{"total": null}"#, "{}", &[]),
        ("{}", r#"{"new": [1]}"#, &["/new: added [1]"]),
        (r#"{"a/b": "x"}"#, "{}", &[r#"/a~1b: removed "x""#]),
        (
            r#"{"total": 1}"#,
            r#"{"total": "1"}"#,
            &[r#"/total: 1 → "1""#],
        ),
        // An alias is the documented member.
        (
            r#"{"items": [{"title": "A", "url": "u"}]}"#,
            r#"{"items": [{"title": "A", "link": "v"}]}"#,
            &[r#"/items/0/link (title=A): "u" → "v""#],
        ),
        // An id goes before what is the same by chance.
        (
            r#"{"items": [{"score": 5, "thing_id": 1}]}"#,
            r#"{"items": [{"score": 5, "thing_id": 2}]}"#,
            &[
                r#"/items/0 (thing_id=2): added {"score":5,"thing_id":2}"#,
                r#"/items/0 (thing_id=1): removed {"score":5,"thing_id":1}"#,
            ],
        ),
        // Of several that identify a record, the one that stays.
        (
            r#"[{"day": "1", "n": 5}, {"day": "2", "n": 6}]"#,
            r#"[{"day": "2", "n": 7}, {"day": "1", "n": 5}]"#,
            &["/0/n (day=2): 6 → 7"],
        ),
        (
            r#"[{"id": 1, "in": [{"id": 2, "n": 5}]}]"#,
            r#"[{"id": 1, "in": [{"id": 2, "n": 6}]}]"#,
            &["/0/in/0/n (id=2): 5 → 6"],
        ),
        ("[1, 1, 2]", "[2, 3, 1]", &["/1: added 3", "/1: removed 1"]),
        ("[[1], {}]", "[{}, [1]]", &[]),
        ("", "1", &["the body: added 1"]),
        ("a page", "1", &[r#"the body: "a page" → 1"#]),
    ] {
        let found = changes(before.as_bytes(), after.as_bytes(), Page::SHAPE);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{before} {after}");
    }
    let long = format!(r#"{{"total": "{}"}}"#, "x".repeat(900));
    let found = changes(b"{}", long.as_bytes(), Page::SHAPE);
    assert!(found[0].to_string().chars().count() < 300);
    // Programs get all of it.
    let json = serde_json::to_value(&found[0]).unwrap();
    assert_eq!(json["after"].as_str().unwrap().len(), 900);
    assert!(json.get("before").is_none());
}

#[test]
fn a_change_shows_no_key() {
    let key = Arc::new(ApiKey::parse("canary".into()).unwrap());
    let found = concealing(Some(&key), || {
        changes(b"{}", br#"{"canary": ["a canary"]}"#, Page::SHAPE)
    });
    assert_eq!(found[0].to_string(), r#"/[key]: added ["a [key]"]"#);
}
