//! Types of callers, which implement only `Deserialize`.

use serde::Deserialize;
use std::collections::BTreeMap;

use serde::de::IntoDeserializer;
use serde::de::value::{BorrowedStrDeserializer, Error};

use super::set_aside::Page;
use crate::decode::decode::decode;
use crate::wire::{deserialize, newtype, object};

#[derive(Debug, PartialEq, Deserialize)]
struct Outer {
    #[serde(flatten)]
    page: Page,
    mine: u8,
    form: Option<Of>,
    pair: Option<Pair>,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Of {
    Count { n: u32 },
}

#[derive(Debug, PartialEq, Deserialize)]
struct Pair {
    x: u8,
    y: u8,
}

#[test]
fn types_of_callers_are_read_by_serde_json_and_documented_ones_inside_of_them_tolerantly() {
    let text = r#"{"offset": 7.0, "ratings": ["1", {}], "mine": 2, "form": {"Count": {"n": 37}}, "pair": [1, 2]}"#;
    let outer: Outer = decode(text.as_bytes()).unwrap();
    assert_eq!(
        (outer.page.offset, &*outer.page.ratings),
        (Some(7), &[1][..])
    );
    let form = Some(Of::Count { n: 37 });
    assert_eq!((outer.mine, outer.form), (2, form));
    assert_eq!(outer.pair, Some(Pair { x: 1, y: 2 }));
}

#[test]
fn what_serde_json_refuses_is_located_and_no_string_is_quoted() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "none is read")]
    struct List {
        pairs: Vec<Pair>,
        next: Option<Box<List>>,
        page: Option<Page>,
    }
    let in_pairs = |pair: &str| format!("{{\n\"pairs\": [{{\"x\": 1, \"y\": 2}},\n {pair}]}}");
    for (text, pointer, message) in [
        (
            in_pairs(r#"{"x": "a \" secret", "y": 2}"#),
            "/pairs/1/x",
            "invalid type: string, expected u8 at line 3",
        ),
        (in_pairs(r#"{"x": 300, "y": 2}"#), "/pairs/1/x", "300"),
        (in_pairs(r#"{"x": 3}"#), "/pairs/1", "missing field `y`"),
        (in_pairs("7"), "/pairs/1", "expected struct Pair"),
        (
            "{}".to_owned(),
            "",
            "expected an object with `pairs`; it is empty",
        ),
        (
            r#"{"pairs": [], "next": {"pairs": [], "page": {"totals": 7, "next": []}}}"#.to_owned(),
            "",
            "",
        ),
    ] {
        match decode::<List>(text.as_bytes()) {
            Ok(_) => assert_eq!(message, "", "{text}"),
            Err(located) => {
                assert_eq!(located.pointer, pointer, "{text}: {}", located.message);
                assert!(located.message.contains(message), "{}", located.message);
                assert!(!located.message.contains("secret"), "{}", located.message);
            }
        }
    }
}

#[test]
fn a_failure_of_a_documented_type_is_located_in_it_or_around_it() {
    #[derive(Debug)]
    struct Counted {
        _count: u8,
    }
    object!(Counted {
        _count: required "count",
    });
    let whole = decode::<Counted>(br#"{"count": "x"}"#).unwrap_err();
    assert_eq!(whole.pointer, "/count", "{}", whole.message);
    let text = br#"{"a": [], "b": [{"count": 1}, {"count": "x"}]}"#;
    let inside = decode::<BTreeMap<String, Vec<Counted>>>(text).unwrap_err();
    assert_eq!(inside.pointer, "/b", "{}", inside.message);
    let why = "inside, at `/count`: invalid type: string, expected a whole number at line 1";
    assert!(inside.message.starts_with(why), "{}", inside.message);
}

#[derive(Debug)]
struct Word(String);
newtype!(Word, value);

#[test]
fn a_string_of_any_deserializer_is_read() {
    let own: Result<Word, Error> = deserialize("bright".into_deserializer());
    assert_eq!(own.unwrap().0, "bright");
    let borrowed = BorrowedStrDeserializer::<Error>::new("bright");
    assert_eq!(deserialize::<_, Word>(borrowed).unwrap().0, "bright");
}
