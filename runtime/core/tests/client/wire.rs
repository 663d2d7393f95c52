//! The types of generated code: each has a table, from which the macros implement its reading and writing.

use std::collections::BTreeMap;

use generated_client::error::ParseEnumError;
use generated_client::values::Nullable;
use generated_client::wire;
use serde_json::Value;

/// A struct with a function for each field, which reads the value of its member.
#[derive(Debug, Default)]
struct Thing {
    id: u64,
    title: String,
    // Without the elements that are null; null is the empty list.
    tags: Vec<String>,
    counts: BTreeMap<String, u64>,
    notes: Option<Vec<String>>,
    // Written back as it was read: absent and null differ.
    alias: Nullable<String>,
    // Elements that are null are kept where callers may send them.
    levels: Vec<Option<u8>>,
    // An optional value, set aside if it does not match.
    page: Option<u64>,
    status: String,
    // All other members.
    more: BTreeMap<String, Value>,
}
wire::object!(Thing {
    id: required "id" | "uuid",
    title: null_as_default "title",
    tags: entries "tags",
    counts: entries "counts",
    notes: some_entries "notes",
    alias: nullable "alias",
    levels: entries "levels",
    page: optional "page",
    status: fitting "status",
} needs [id, title] others more);

/// A list with a type for each position.
struct Pair(u8, String);
wire::tuple_struct!(Pair(number, name));

/// A type around one value.
struct Name(String);
wire::newtype!(Name, required);

/// An open enumeration keeps each value, and knows its spellings.
#[derive(Clone, Debug, PartialEq)]
enum Tone {
    Bright,
    Unrecognized(String),
}
wire::open_enum!(Tone, Bright = "Bright" | "bright");

/// A missing value is read as the empty string.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Some,
    Empty,
    Unrecognized(String),
}
wire::open_enum!(Kind, Some = "some", Empty = "");

/// A closed enumeration has only the listed values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Size {
    Small,
    Large,
}
wire::closed_enum!(Size, Small = "S" | "small", Large = "L");

/// A union: a string, a list of strings, or counts by name.
#[derive(Debug, PartialEq)]
enum Either {
    Text(String),
    Texts(Vec<String>),
    Counts(BTreeMap<String, u64>),
    Unrecognized(Value),
}
wire::union!(Either else Likeliest {
    Text: plain required = Form::Text,
    Texts: plain content_entries = Form::List,
    Counts: plain content_entries = Form::Map,
});

#[test]
fn members_are_read_by_the_functions_of_their_rows() {
    let text = r#"{"uuid": 7, "title": null, "tags": ["a", null], "levels": [null], "size": 1}"#;
    let thing: Thing = serde_json::from_str(text).unwrap();
    assert_eq!((thing.id, thing.tags.len(), thing.levels.len()), (7, 1, 1));
    assert!(thing.more.contains_key("size") && thing.alias.is_absent());
    assert!(serde_json::from_str::<Thing>("{}").is_err());
}

#[test]
fn a_list_may_have_a_type_for_each_position() {
    let pair: Pair = serde_json::from_str(r#"[1, "a"]"#).unwrap();
    assert_eq!((pair.0, pair.1.as_str()), (1, "a"));
    assert_eq!(serde_json::from_str::<Name>(r#""a""#).unwrap().0, "a");
}

#[test]
fn an_open_enumeration_keeps_every_value() {
    assert_eq!(
        serde_json::from_str::<Tone>(r#""bright""#).unwrap(),
        Tone::Bright
    );
    assert_eq!(serde_json::to_string(&Tone::Bright).unwrap(), r#""Bright""#);
    assert_eq!("grey".parse(), Ok(Tone::Unrecognized("grey".to_owned())));
    assert_eq!(
        (Tone::KNOWN, Tone::ALL),
        (["Bright"].as_slice(), [Tone::Bright].as_slice())
    );
    assert_eq!(
        (Kind::default(), Tone::default()),
        (Kind::Empty, Tone::Unrecognized(String::new()))
    );
}

#[test]
fn a_closed_enumeration_has_only_the_listed_values() {
    assert_eq!(
        ("small".parse(), format!("{:>3}", Size::Small)),
        (Ok(Size::Small), "  S".to_owned())
    );
    assert_eq!(
        "M".parse::<Size>(),
        Err(ParseEnumError::new("M", Size::KNOWN))
    );
    assert!(Size::Large == "L" && serde_json::from_str::<Size>("1").is_err());
}

#[test]
fn a_union_is_the_alternative_that_fits() {
    assert_eq!(
        serde_json::from_str::<Either>(r#"["a"]"#).unwrap(),
        Either::Texts(vec!["a".to_owned()])
    );
    assert_eq!(
        serde_json::from_str::<Either>("7").unwrap(),
        Either::Unrecognized(7.into())
    );
}
