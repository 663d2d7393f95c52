//! The member of the body that an interceptor watches.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::decode::decode::decode_watching;
use crate::wire::object;

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

/// A map that takes what it can of an object.
struct Ignoring;

impl<'de> Deserialize<'de> for Ignoring {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Ignoring;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ignoring, A::Error> {
                while let Ok(Some(_)) = map.next_key::<String>() {
                    _ = map.next_value::<serde_json::Value>();
                }
                Ok(Ignoring)
            }
        }

        deserializer.deserialize_map(Any)
    }
}

#[test]
fn nothing_is_certain_in_what_a_type_has_read_in_spite_of_a_failure() {
    for (text, expected) in [
        (r#"{"a": 1, "left": 2}"#, Some(Some("2"))),
        (r#"{"a": {"b": 1e999, "left": 9}"#, None),
        (r#"{"a": {"b": 1e999, "left": 9}}"#, None),
    ] {
        let noticed = decode_watching::<Ignoring>(text.as_bytes(), Some("left")).noticed;
        let value = noticed.as_ref().map(Option::as_deref);
        assert_eq!(value, expected, "{text}");
    }
}
