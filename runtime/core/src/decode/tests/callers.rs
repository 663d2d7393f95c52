//! Types of callers, which implement only `Deserialize`.

use serde::de::IntoDeserializer;
use serde::de::value::{BorrowedStrDeserializer, Error};
use serde::{Deserialize, Deserializer};

use super::read;
use super::set_aside::Page;
use crate::decode::decode::decode;
use crate::wire::{deserialize, newtype};

#[derive(Debug, PartialEq, Deserialize)]
struct Outer {
    #[serde(flatten)]
    page: Page,
    mine: u8,
    #[serde(default, deserialize_with = "or_default")]
    other: u8,
    form: Option<Of>,
    pair: Option<Pair>,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Of {
    Nothing,
    Count { n: u32 },
}

#[derive(Debug, PartialEq, Deserialize)]
struct Pair {
    x: u8,
    y: u8,
}

/// Ignores a value that does not match.
fn or_default<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Ok(u8::deserialize(deserializer).unwrap_or_default())
}

#[test]
fn types_of_callers_are_read_as_tolerantly() {
    let text = r#"{"offset": 7.0, "ratings": ["1", {}], "mine": "2", "other": null, "form": {"Count": {"n": 37.0}}, "pair": [1, 2]}"#;
    let outer: Outer = decode(text.as_bytes()).unwrap();
    assert_eq!(
        (outer.page.offset, &*outer.page.ratings),
        (Some(7), &[1][..])
    );
    assert_eq!(
        (outer.mine, outer.other, outer.form),
        (2, 0, Some(Of::Count { n: 37 }))
    );
    assert_eq!(outer.pair, Some(Pair { x: 1, y: 2 }));
    let form = |text: &str| read::<Of>(text).ok();
    assert_eq!(form("\"Nothing\""), Some(Of::Nothing));
    for text in [
        "\"Count\"",
        "{}",
        r#"{"Count": {"n": 1}, "Nothing": null}"#,
        "7",
    ] {
        assert_eq!(form(text), None, "{text}");
    }
}

#[derive(Debug)]
struct Word(String);
newtype!(Word, required);

#[test]
fn a_string_of_any_deserializer_is_read() {
    let own: Result<Word, Error> = deserialize("bright".into_deserializer());
    assert_eq!(own.unwrap().0, "bright");
    let borrowed = BorrowedStrDeserializer::<Error>::new("bright");
    assert_eq!(deserialize::<_, Word>(borrowed).unwrap().0, "bright");
}
