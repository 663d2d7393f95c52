use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};

use super::*;
use crate::decode::allowance::within;
use crate::decode::wire::object;

fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read_tolerantly(text)
}

#[test]
fn a_whole_number_is_read_in_any_spelling() {
    for (text, expected) in [
        ("37.0", 37),
        ("1e2", 100),
        ("-0", 0),
        ("-0.0", 0),
        ("-5E0", -5),
        ("12", 12),
        ("9007199254740991.0", 9_007_199_254_740_991),
        ("\"37\"", 37),
        ("\"-3.70e1\"", -37),
    ] {
        assert_eq!(read::<i64>(text).unwrap(), expected, "{text}");
        assert_eq!(read::<Option<i64>>(text).unwrap(), Some(expected), "{text}");
    }
    for text in [
        "1.5",
        "1e-1",
        "9007199254740993.0",
        "1e300",
        "\"37.5\"",
        "\" 37\"",
        "\"+37\"",
        "\"037\"",
        "\"\"",
        "true",
        "[1.0]",
    ] {
        assert!(read::<i64>(text).is_err(), "{text}");
    }
    assert_eq!(read::<u8>("255.0").unwrap(), 255);
    assert!(read::<u8>("256.0").is_err() && read::<u8>("-1.0").is_err());
    assert!(read::<i64>("9223372036854775807").is_ok());
}

#[test]
fn a_number_is_read_as_a_string_if_one_is_expected() {
    for (text, expected) in [
        ("12", "12"),
        ("-3", "-3"),
        ("18446744073709551615", "18446744073709551615"),
        ("12.0", "12.0"),
        ("3.5", "3.5"),
        ("\"12\"", "12"),
        ("true", "true"),
    ] {
        assert_eq!(read::<String>(text).unwrap(), expected, "{text}");
        let several = read::<Vec<Option<String>>>(&format!("[{text}, null]")).unwrap();
        assert_eq!(several, [Some(expected.to_owned()), None], "{text}");
        assert!(text.starts_with('"') || serde_json::from_str::<String>(text).is_err());
    }
    for text in ["null", "[1]", "{}", "1e999"] {
        assert!(read::<String>(text).is_err(), "{text}");
    }
    assert_eq!(read::<f64>("\"12.5\"").unwrap(), 12.5);
    for text in [
        "\"NaN\"",
        "\"inf\"",
        "\"1e999\"",
        "\"12,5\"",
        "\"12 \"",
        "\"0x1\"",
    ] {
        assert!(read::<f64>(text).is_err(), "{text}");
    }
    let keys = read::<BTreeMap<u8, f32>>(r#"{"1": "2"}"#).unwrap();
    assert_eq!(keys, BTreeMap::from([(1, 2.0)]));
    assert!(read::<char>("1").is_err());

    #[derive(Deserialize)]
    enum Level {
        #[serde(rename = "1")]
        _One,
    }
    assert!(read::<Level>("1").is_err() && read::<Level>("\"1\"").is_ok());
}

#[test]
fn a_boolean_is_read_from_a_string_that_spells_it() {
    for (text, expected) in [
        ("true", true),
        ("\"true\"", true),
        ("\"false\"", false),
        ("\"True\"", true),
        ("\"FALSE\"", false),
    ] {
        assert_eq!(
            read::<Option<bool>>(text).unwrap(),
            Some(expected),
            "{text}"
        );
        assert!(text.len() < 6 || serde_json::from_str::<bool>(text).is_err());
    }
    // These may mean something else, such as a count.
    for text in [
        "1",
        "0",
        "1.0",
        "\"1\"",
        "\"yes\"",
        "\"\"",
        "\" true\"",
        "[]",
    ] {
        assert!(read::<bool>(text).is_err(), "{text}");
    }
}

#[test]
fn tolerance_reaches_every_depth_and_changes_nothing_else() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Deep {
        counts: BTreeMap<String, Vec<Option<u16>>>,
        kind: Kind,
        score: f64,
        raw: Box<RawValueOf>,
        any: Value,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    enum Kind {
        Of(u8),
    }

    #[derive(Debug, Deserialize)]
    #[serde(transparent)]
    struct RawValueOf(Box<RawValue>);

    impl PartialEq for RawValueOf {
        fn eq(&self, other: &Self) -> bool {
            self.0.get() == other.0.get()
        }
    }

    let text = r#"{"counts": {"a": [1.0, null, 2e1]}, "kind": {"Of": 3.0}, "score": 4.0, "raw": 1.0, "any": 1.0}"#;
    let deep = read::<Deep>(text).unwrap();
    assert_eq!(deep.counts["a"], [Some(1), None, Some(20)]);
    assert_eq!((deep.kind, deep.score), (Kind::Of(3), 4.0));
    assert_eq!((deep.raw.0.get(), deep.any), ("1.0", json!(1.0)));
}

/// A string, and whether it was borrowed.
#[derive(Debug)]
struct Borrowed(String, bool);

impl<'de> Deserialize<'de> for Borrowed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Borrowed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Borrowed, E> {
                Ok(Borrowed(text.to_owned(), false))
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Borrowed, E> {
                Ok(Borrowed(text.to_owned(), true))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is shown by Debug")]
struct All {
    raw: Box<RawValue>,
    any: Value,
    number: Number,
    lent: Borrowed,
    copied: Borrowed,
    letter: char,
    large: i128,
    small: (i8, f32, Option<bool>, ()),
    kinds: Vec<Kind>,
    #[serde(default)]
    newtype: Option<Newtype>,
    by_number: BTreeMap<u8, IgnoredAny>,
    by_flag: BTreeMap<bool, u8>,
    by_kind: BTreeMap<Named, u8>,
    either: Either,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is shown by Debug")]
enum Kind {
    Unit,
    New(u8),
    Tuple(u8, u8),
    Struct { a: Borrowed },
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum Named {
    One,
}

#[derive(Debug, Deserialize)]
struct Newtype(#[expect(dead_code, reason = "it is shown by Debug")] u64);

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "it is shown by Debug")]
enum Either {
    Number(f64),
    Text(String),
    Of { a: u8 },
}

const ALL: &str = r#"{"raw": {"a" : [1.50, "\u0061"]}, "any": {"b": [null, true, -1, 18446744073709551615, 0.1, "\n"]},
  "number": 1e-7, "lent": "as it is", "copied": "\u00e4", "letter": "x", "large": 18446744073709551616,
  "small": [-128, 0.30000001, null, null], "kinds": ["Unit", {"New": 1}, {"Tuple": [1, 2]}, {"Struct": {"a": "b"}}],
  "newtype": 7, "by_number": {"1": [1]}, "by_flag": {"true": 1}, "by_kind": {"One": 1}, "either": {"a": 1}, "left": 2.50, "more": {"c": []}}"#;

#[test]
fn a_strict_read_equals_the_parser_in_values_and_errors() {
    fn same<T: DeserializeOwned + fmt::Debug>(text: &str) {
        let expected = format!("{:?}", serde_json::from_str::<T>(text));
        assert_eq!(format!("{:?}", read_strictly::<T>(text)), expected);
        let watched = watch::Watch::new(Some("left")).during(|| read_watched::<T>(text));
        assert_eq!(format!("{watched:?}"), expected, "{text}");
    }
    let all = read_strictly::<All>(ALL).unwrap();
    assert_eq!((&*all.lent.0, all.lent.1), ("as it is", true));
    assert_eq!((&*all.copied.0, all.copied.1), ("ä", false));
    same::<All>(ALL);
    for at in 0..ALL.len() {
        let (before, after) = ALL.split_at(at);
        for other in ["", "\"", "{", "]", ":", ",", "0", "x", "\\", "null"] {
            let text = format!("{before}{other}{}", after.get(1..).unwrap());
            same::<All>(&text);
            same::<Value>(&text);
        }
        same::<All>(before);
        same::<BTreeMap<String, IgnoredAny>>(before);
    }
    for text in ["[]", "[1, 2]", "7", "\"a\"", "null", " {} ", "{\"a\": 1} x"] {
        same::<All>(text);
        same::<Kind>(text);
        same::<BTreeMap<Named, u8>>(text);
        same::<Either>(text);
        same::<Option<Newtype>>(text);
    }
}

#[test]
fn a_tolerant_read_equals_the_parser_on_valid_input() {
    let tolerant = format!("{:?}", read_tolerantly::<All>(ALL).unwrap());
    let strict = format!("{:?}", serde_json::from_str::<All>(ALL).unwrap());
    assert_eq!(tolerant, strict);
}

#[test]
fn names_beyond_64_bits_are_read_by_every_pass() {
    type Large = BTreeMap<u128, BTreeMap<i128, u8>>;
    let text = r#"{"18446744073709551616": {"-18446744073709551617": 1, "7": 2}}"#;
    let expected: Large = serde_json::from_str(text).unwrap();
    assert_eq!(read_strictly::<Large>(text).unwrap(), expected);
    assert_eq!(read_tolerantly::<Large>(text).unwrap(), expected);
    let mut watch = watch::Watch::new(Some("left"));
    let read = watch.during(|| read_watched::<Large>(text));
    assert_eq!(read.unwrap(), expected);
    for wrong in [
        r#"{"7 ": {}}"#,
        r#"{"07": {}}"#,
        r#"{"": {}}"#,
        r#"{"-1": {}}"#,
    ] {
        let read = watch.during(|| read_watched::<Large>(wrong));
        assert!(read.is_err(), "{wrong}");
    }
}

/// A struct that keeps its unnamed members, as generated code has it.
struct Extensible {
    id: u64,
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(remote = "Extensible")]
struct Twin {
    id: u64,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

impl<'de> Deserialize<'de> for Extensible {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer, Twin::deserialize)
    }
}

#[test]
fn an_extra_member_that_fails_is_not_counted_in_the_next_body() {
    assert!(read_strictly::<Extensible>(r#"{"x": [1"#).is_err());
    // A named member draws nothing.
    let read = within(0, || read_strictly::<Extensible>(r#"{"id": 7}"#)).unwrap();
    assert!(read.id == 7 && read.rest.is_empty());
    assert!(within(0, || read_strictly::<Extensible>(r#"{"id": 7, "x": 1}"#)).is_err());
}
