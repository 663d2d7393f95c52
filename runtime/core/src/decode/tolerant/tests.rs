use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;

use super::*;

fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    T::deserialize(Tolerant(&mut serde_json::Deserializer::from_str(text)))
}

#[test]
fn a_whole_number_is_one_however_it_is_spelled() {
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
fn a_number_is_a_text_where_a_text_is_asked_for() {
    for (text, expected) in [
        ("12", "12"),
        ("-3", "-3"),
        ("18446744073709551615", "18446744073709551615"),
        ("12.0", "12.0"),
        ("3.5", "3.5"),
        ("\"12\"", "12"),
    ] {
        assert_eq!(read::<String>(text).unwrap(), expected, "{text}");
        let several = read::<Vec<Option<String>>>(&format!("[{text}, null]")).unwrap();
        assert_eq!(several, [Some(expected.to_owned()), None], "{text}");
        assert!(text.starts_with('"') || serde_json::from_str::<String>(text).is_err());
    }
    for text in ["true", "null", "[1]", "{}", "1e999"] {
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
fn it_reaches_every_depth_and_changes_nothing_else() {
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
