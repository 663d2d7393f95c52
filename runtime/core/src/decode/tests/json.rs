//! The reader beside serde_json: the same text is accepted, with the same value.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{read, read_in};
use crate::decode::read::Read;
use crate::decode::reader::Mode;

const ALL: &str = r#"{"a" : [1.50, "\u0061"], "b": [null, true, -1, 18446744073709551615, 0.1, "\n"], "number": 1e-7,
  "lent": "as it is", "copied": "\u00e4", "large": 18446744073709551616, "small": [-128, 0.30000001, [], {}], "left": 2.50}"#;

/// Compares a strict read with serde_json: what both accept is equal, and both accept the same.
fn same<T: DeserializeOwned + Read + fmt::Debug>(text: &str) {
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
    for at in 0..ALL.len() {
        let (before, after) = ALL.split_at(at);
        for other in ["", "\"", "{", "]", ":", ",", "0", "x", "\\", "null"] {
            let text = format!("{before}{other}{}", after.get(1..).unwrap());
            same::<Value>(&text);
            same::<Box<RawValue>>(&text);
        }
        same::<BTreeMap<String, Value>>(before);
    }
    let read = read::<Value>(ALL).unwrap();
    assert_eq!(read, serde_json::from_str::<Value>(ALL).unwrap());
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
