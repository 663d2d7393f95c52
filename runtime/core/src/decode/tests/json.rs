//! The reader beside serde_json: the same text is accepted, with the same value.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, Error, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::{read, read_in};
use crate::decode::reader::Mode;

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
    by_kind: BTreeMap<Key, u8>,
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
    Struct { a: String },
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum Key {
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

/// Compares a strict read with serde_json: what both accept is equal, and both accept the same.
fn same<T: DeserializeOwned + fmt::Debug>(text: &str) {
    let expected = serde_json::from_str::<T>(text);
    let read = read_in::<T>(Mode::Strict, text);
    assert_eq!(
        read.is_ok(),
        expected.is_ok(),
        "{text}: {read:?} {expected:?}"
    );
    if let (Ok(read), Ok(expected)) = (read, expected) {
        assert_eq!(format!("{read:?}"), format!("{expected:?}"), "{text}");
    }
}

#[test]
fn a_strict_read_equals_serde_json() {
    let all = read_in::<All>(Mode::Strict, ALL).unwrap();
    assert_eq!((&*all.lent.0, all.lent.1), ("as it is", true));
    assert_eq!((&*all.copied.0, all.copied.1), ("ä", false));
    for at in 0..ALL.len() {
        let (before, after) = ALL.split_at(at);
        for other in ["", "\"", "{", "]", ":", ",", "0", "x", "\\", "null"] {
            let text = format!("{before}{other}{}", after.get(1..).unwrap());
            same::<All>(&text);
            same::<Value>(&text);
            same::<Box<RawValue>>(&text);
        }
        same::<All>(before);
        same::<BTreeMap<String, IgnoredAny>>(before);
    }
    for text in ["[]", "[1, 2]", "7", "\"a\"", "null", " {} ", "{\"a\": 1} x"] {
        same::<All>(text);
        same::<BTreeMap<Key, u8>>(text);
        same::<Either>(text);
        same::<Option<Newtype>>(text);
    }
    let tolerant = format!("{:?}", read::<All>(ALL).unwrap());
    assert_eq!(
        tolerant,
        format!("{:?}", serde_json::from_str::<All>(ALL).unwrap())
    );
}

#[test]
fn numbers_and_strings_equal_those_of_serde_json() {
    for text in [
        "0",
        "-0",
        "00",
        "01",
        "-",
        "-a",
        "1.",
        ".5",
        "1.e2",
        "1e",
        "1e+",
        "1E-2",
        "1e5",
        "0e0",
        "0.1",
        "-0.0",
        "123456789012345678901234567890",
        "18446744073709551616",
        "1e-400",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "1.7976931348623157e308",
        "2e308",
        "+1",
        "0x1",
        "1_0",
        "Infinity",
        "NaN",
        "1 2",
        "tru",
        "trueX",
        "nul",
        "falsey",
        r#""""#,
        r#""\""#,
        r#""\x""#,
        r#""\u00""#,
        r#""\u00g0""#,
        r#""\ud83d\ude00""#,
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ud83dx""#,
        r#""\ud83d\u0041""#,
        "\"\u{1}\"",
        "\"\u{7f}\"",
        "\"a\nb\"",
        r#""\/\b\f\n\r\t\\""#,
        "\"ä€😀 and more than eight bytes\"",
        "\"\u{2028}\"",
        "\u{feff}1",
        "\u{a0}1",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{,}",
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        r#"{1:2}"#,
        r#"{"a":}"#,
        "[",
        "]",
        "",
        " ",
        "\t[\r\n]\n",
        r#"{"a":1,"a":2}"#,
        "[[[[]]]]",
        "[}",
        "{]",
        "//",
        "[1]//",
    ] {
        same::<Value>(text);
        same::<IgnoredAny>(text);
        same::<Vec<Value>>(&format!("[{text}]"));
        same::<String>(text);
        same::<BTreeMap<String, u8>>(text);
        if text != "-0" {
            same::<i64>(text);
            same::<u64>(text);
        }
    }
    // Half of a surrogate pair is JSON, and no string.
    for (text, is_json) in [(r#""\ud83d""#, true), (r#""\ud8""#, false), ("1e999", true)] {
        assert_eq!(read::<Box<RawValue>>(text).is_ok(), is_json, "{text}");
        assert!(read::<Value>(text).is_err(), "{text}");
    }
}

#[test]
fn any_text_is_read_as_serde_json_reads_it() {
    const SIGNS: &[&str] = &[
        "{", "}", "[", "]", ",", ":", "\"", "\\", "a", "\"a\"", "1", "-", ".", "e", "0", " ",
        "null", "true", "\u{1}", "ä", "\\u0041", "\"b\":", "[1,",
    ];
    let mut seed = 5_u64;
    for _ in 0..40_000 {
        let mut text = String::new();
        for _ in 0..seed % 12 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(seed >> 33).unwrap() % SIGNS.len();
            text.push_str(SIGNS[at]);
        }
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407)
            >> 1;
        same::<Value>(&text);
        same::<IgnoredAny>(&text);
    }
}

#[test]
fn names_beyond_64_bits_are_numbers_too() {
    type Large = BTreeMap<u64, BTreeMap<i64, u8>>;
    let text = r#"{"18446744073709551615": {"-9223372036854775808": 1, "7": 2}}"#;
    let expected: Large = serde_json::from_str(text).unwrap();
    assert_eq!(read::<Large>(text).unwrap(), expected);
    for wrong in [r#"{"7 ": {}}"#, r#"{"": {}}"#, r#"{"-1": {}}"#] {
        assert!(read::<Large>(wrong).is_err(), "{wrong}");
    }
}
