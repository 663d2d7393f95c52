//! The reader beside serde_json, and what it tolerates.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, Error, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};

use super::allowance::Allowance;
use super::bridge::read_serde;
use super::decode::{Decoded, decode, decode_watching};
use super::failure::Failure;
use super::nullable::Nullable;
use super::read::Read;
use super::reader::{Mode, Reader, State};
use super::set_aside::SetAside;
use crate::wire::object;

/// Reads a complete text in a mode.
fn read_in<T: DeserializeOwned>(mode: Mode, text: &str) -> Result<T, Failure> {
    let mut reader = Reader::new(text, State::new(mode, Allowance::UNBOUNDED));
    let value = read_serde(&mut reader)?;
    reader.end().map(|()| value)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    read_in(Mode::Open, text)
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
        let is_plain = text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit());
        assert_eq!(
            read_in::<i64>(Mode::Strict, text).is_ok(),
            is_plain,
            "{text}"
        );
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
    assert!(read::<i64>("9223372036854775808").is_err());
    assert!(read::<u64>("99999999999999999999999999999999999999999999").is_err());
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
        let strict = read_in::<String>(Mode::Strict, text);
        assert_eq!(strict.is_ok(), text.starts_with('"'), "{text}");
    }
    for text in ["null", "[1]", "{}"] {
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
        "1e999",
    ] {
        assert!(read::<f64>(text).is_err(), "{text}");
    }
    let keys = read::<BTreeMap<u8, f32>>(r#"{"1": "2"}"#).unwrap();
    assert_eq!(keys, BTreeMap::from([(1, 2.0)]));
    assert!(read::<char>("1").is_err());
    assert!(read::<Level>("1").is_err() && read::<Level>("\"1\"").is_ok());
}

#[derive(Debug, Deserialize)]
enum Level {
    #[serde(rename = "1")]
    _One,
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
        let read: Option<bool> = read(text).unwrap();
        assert_eq!(read, Some(expected), "{text}");
        let strict = read_in::<bool>(Mode::Strict, text);
        assert_eq!(strict.is_ok(), !text.starts_with('"'), "{text}");
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

#[derive(Debug, Default, PartialEq)]
struct Page {
    offset: Option<i64>,
    ratings: Vec<u8>,
    totals: BTreeMap<String, u8>,
    next: Option<Box<Page>>,
}
object!(Page {
    offset: optional "offset",
    ratings: list "ratings",
    totals: map "totals",
    next: optional "next",
});

/// Decodes a body as a client does.
fn body<T: DeserializeOwned>(text: &str) -> (Option<T>, Vec<SetAside>) {
    let Decoded {
        read, set_aside, ..
    } = decode_watching(text.as_bytes(), None);
    (read.ok(), set_aside)
}

/// Decodes a page. Also returns pointer, reason and value of everything set aside.
fn page(text: &str) -> (Option<Page>, Vec<(String, String, String)>) {
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
    list: content_list "list",
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
    }
    object!(About {
        level: nullable "level",
        labels: nullable_list "labels",
        list: some_with_nulls "list",
        map: with_nulls "map",
    });
    let (absent, null) = (Nullable::Absent, Nullable::Null);
    for (text, expected) in [
        ("{}", (absent, Nullable::Absent, 0)),
        (
            r#"{"level": null, "labels": null}"#,
            (null, Nullable::Null, 0),
        ),
        (
            r#"{"level": 1, "labels": []}"#,
            (1.into(), vec![].into(), 0),
        ),
        (
            r#"{"level": "x", "labels": {}}"#,
            (absent, Nullable::Absent, 2),
        ),
        (r#"{"labels": [1, "x", null]}"#, (absent, vec![1].into(), 1)),
    ] {
        let (about, left_out) = body::<About>(text);
        let about = about.unwrap();
        assert_eq!(
            (about.level, about.labels, left_out.len()),
            expected,
            "{text}"
        );
        assert!(about.list.is_none() && about.map.is_empty());
    }
    let text = r#"{"list": [1, null, "x", 2], "map": {"a": null, "b": 1, "c": {}}}"#;
    let (about, left_out) = body::<About>(text);
    let about = about.unwrap();
    assert_eq!(about.list.unwrap(), [Some(1), None, Some(2)]);
    assert_eq!(
        about.map,
        BTreeMap::from([("a".to_owned(), None), ("b".to_owned(), Some(1))])
    );
    assert_eq!(left_out.len(), 2);
}

#[test]
fn a_deep_body_is_read_to_a_limit() {
    let depth = 10_000;
    let text = format!(
        r#"{{"offset": "a", "next": {}1{}"#,
        r#"{"next":"#.repeat(depth),
        "}".repeat(depth + 1)
    );
    let (read, found) = page(&text);
    assert!(read.is_some());
    assert_eq!((found.len(), &*found[1].1), (2, "nested too deeply"));
    assert!(read_in::<IgnoredAny>(Mode::Strict, &text).is_ok());
    assert!(read_in::<Value>(Mode::Strict, &text).is_err());
}

/// Reads a value whose lists and maps may take so many bytes.
fn within<T: Read>(bytes: usize, text: &str) -> Result<T, Failure> {
    T::read(&mut Reader::new(
        text,
        State::new(Mode::Open, Allowance(Some(bytes))),
    ))
}

#[test]
fn lists_and_maps_draw_on_the_allowance_also_while_they_grow() {
    let numbers = |count: usize| format!("[{}]", vec!["1"; count].join(","));
    for (bytes, elements) in [(32, 4), (96, 8), (192, 16), (384, 32)] {
        assert!(within::<Vec<u64>>(bytes, &numbers(elements)).is_ok());
        assert!(within::<Vec<u64>>(bytes, &numbers(elements + 1)).is_err());
        assert!(within::<Vec<u64>>(bytes - 1, &numbers(elements)).is_err());
    }
    let node = 11 * size_of::<(String, u8)>() + 112;
    let text = r#"{"ratings": [1, 2, 3], "totals": {"a": 1, "b": 2}}"#;
    // What exceeds it is not set aside, and fails the body.
    assert!(within::<Page>(8 + node, text).is_ok());
    assert!(within::<Page>(7 + node, text).is_err());
}

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
    for (text, expected) in [
        (r#"{"id": "a", "count": 1}"#, Some((id("a"), 1, 0))),
        (r#"{"uuid": "b", "total": 2}"#, Some((id("b"), 2, 0))),
        (
            r#"{"uuid": "b", "id": "a", "total": 2, "count": 1}"#,
            Some((id("a"), 1, 0)),
        ),
        (
            r#"{"id": "a", "uuid": "b", "count": 1, "total": 2}"#,
            Some((id("a"), 1, 0)),
        ),
        (
            r#"{"id": null, "uuid": "b", "count": null, "total": 2}"#,
            Some((id("b"), 2, 0)),
        ),
        (
            r#"{"uuid": "b", "id": null, "total": 2, "count": null}"#,
            Some((id("b"), 2, 0)),
        ),
        (
            r#"{"id": "a", "uuid": null, "count": 1, "x": 1, "y": "z"}"#,
            Some((id("a"), 1, 1)),
        ),
        (r#"{"count": null}"#, None),
        (r#"{"id": "a"}"#, None),
        ("{}", None),
    ] {
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

#[derive(Debug, PartialEq)]
struct Receipt {
    left: Option<u64>,
    a: Option<u64>,
}
object!(Receipt {
    left: optional "left",
    a: optional "a",
});

#[test]
fn only_a_certain_value_of_the_watched_member_is_noticed() {
    let noticed = |text: &str| {
        let noticed = decode_watching::<Receipt>(text.as_bytes(), Some("left")).noticed;
        noticed.map(|value| value.map(String::from))
    };
    let value = |text: &str| Some(Some(text.to_owned()));
    for (text, expected) in [
        (r#"{"left": 1.50 , "a": 2}"#, value("1.50")),
        (
            "{\"a\": {\"left\": 3}, \"left\" \n:\t\"1\"}",
            value(r#""1""#),
        ),
        (r#"{"l\u0065ft": 1}"#, value("1")),
        (r#"{"left ": 1}"#, Some(None)),
        ("{}", Some(None)),
        (r#"{"left": null}"#, value("null")),
        (r#"{"left": "x", "a": "y"}"#, value(r#""x""#)),
        (r#"{"left": 1, "left": 2}"#, None),
        (r#"{"left": [1]}"#, None),
        (r#"{"left": {}}"#, None),
        (r#"{"left": 1} x"#, None),
        (r#"{"left": 1"#, None),
        (r#"[{"left": 1}]"#, None),
        ("", None),
    ] {
        assert_eq!(noticed(text), expected, "{text}");
    }
}

#[test]
fn a_member_with_several_names_changes_nothing_about_the_watched_one() {
    #[derive(Debug)]
    struct Envelope {
        left: Option<u64>,
        data: Option<Receipt>,
    }
    object!(Envelope {
        left: optional "left",
        data: optional "data" | "result",
    });
    for (text, expected) in [
        (r#"{"left": 1, "result": {"left": 2}}"#, Some(Some("1"))),
        (r#"{"result": {"left": 2}}"#, Some(None)),
        (r#"{"result": {"left": []}, "left": 1}"#, Some(Some("1"))),
        (r#"{"result": 7, "left": 1}"#, Some(Some("1"))),
    ] {
        let decoded = decode_watching::<Envelope>(text.as_bytes(), Some("left"));
        let noticed = decoded.noticed.as_ref().map(Option::as_deref);
        assert_eq!(noticed, expected, "{text}");
        let envelope = decoded.read.unwrap();
        let inner = envelope.data.and_then(|data| data.left);
        assert_eq!(
            (envelope.left.is_some(), inner.is_some()),
            (text.contains("\"left\": 1"), text.contains(": 2"))
        );
    }
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
    assert_eq!(json!(decode::<Nested>(b"{}").unwrap()), json!({}));
}

#[test]
fn a_place_behind_what_is_no_text_is_found() {
    #[derive(Debug)]
    struct Odd {
        _a: BTreeMap<String, u8>,
        _b: Option<u8>,
    }
    object!(Odd {
        _a: map "a",
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
