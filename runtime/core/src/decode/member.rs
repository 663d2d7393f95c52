//! Reads one member of a body without the others. Input: the bytes of a decoded body, and a JSON Pointer. Output: its JSON.
//!
//! It reads the bytes, because the records may be types of the caller, and the last record may not decode.

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, de};
use serde_json::value::RawValue;

use crate::decode::decode::without_mark;

/// A value of JSON. Only plain values have their content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    /// In its original spelling.
    Number(String),
    Text(String),
    Array,
    Object,
}

impl Value {
    fn new(json: &RawValue) -> Option<Self> {
        let text = json.get();
        Some(match text.as_bytes().first()? {
            b'"' => Self::Text(serde_json::from_str(text).ok()?),
            b't' => Self::Flag(true),
            b'f' => Self::Flag(false),
            b'n' => Self::Null,
            b'[' => Self::Array,
            b'{' => Self::Object,
            _ => Self::Number(text.to_owned()),
        })
    }
}

/// Returns the value at a JSON Pointer, with `-1` for the last element of an array; `None` for a missing value.
pub(crate) fn member(body: &[u8], pointer: &str) -> Option<Value> {
    Value::new(raw_member(body, pointer)?)
}

/// Returns the JSON at such a pointer.
pub(crate) fn raw_member<'b>(body: &'b [u8], pointer: &str) -> Option<&'b RawValue> {
    let steps: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect();
    let mut decoder = serde_json::Deserializer::from_slice(without_mark(body));
    AtPointer(&steps).deserialize(&mut decoder).ok().flatten()
}

struct AtPointer<'s>(&'s [String]);

impl<'de> DeserializeSeed<'de> for AtPointer<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, decoder: D) -> Result<Self::Value, D::Error> {
        if !self.0.is_empty() {
            return decoder.deserialize_any(self);
        }
        de::Deserialize::deserialize(decoder).map(Some)
    }
}

/// A value that is neither an object nor an array has no members.
macro_rules! nothing {
    ($($name:ident($($of:ty)?),)*) => {$(
        fn $name<E: de::Error>(self $(, _: $of)?) -> Result<Self::Value, E> {
            Ok(None)
        }
    )*};
}

impl<'de> Visitor<'de> for AtPointer<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Self::Value, M::Error> {
        let mut found = None;
        let (wanted, rest) = self.0.split_first().unwrap_or((&EMPTY, &[]));
        while let Some(name) = members.next_key::<String>()? {
            if name == *wanted {
                found = members.next_value_seed(AtPointer(rest))?
            } else {
                _ = members.next_value::<IgnoredAny>()?
            }
        }
        Ok(found)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<Self::Value, S::Error> {
        let mut last = None;
        let (wanted, rest) = self.0.split_first().unwrap_or((&EMPTY, &[]));
        if wanted != "-1" {
            while elements.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(None);
        }
        while let Some(found) = elements.next_element_seed(AtPointer(rest))? {
            last = found;
        }
        Ok(last)
    }

    nothing! {
        visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str), visit_unit(),
    }
}

static EMPTY: String = String::new();

#[cfg(test)]
mod tests {
    use super::*;

    fn text(of: &str) -> Option<Value> {
        Some(Value::Text(of.to_owned()))
    }

    fn number(of: &str) -> Option<Value> {
        Some(Value::Number(of.to_owned()))
    }

    #[test]
    fn members_are_found_by_their_pointer_and_last_elements_by_minus_one() {
        let body = br#"{"a": {"b/c": "x\n", "n": null, "more": true}, "data": [{"id": 7}, {"id": 12345678901234567890123}], "e": [], "": 1.50}"#;
        for (pointer, expected) in [
            ("/a/b~1c", text("x\n")),
            ("/a/n", Some(Value::Null)),
            ("/a/n/x", None),
            ("/a/more", Some(Value::Flag(true))),
            ("/a", Some(Value::Object)),
            ("", Some(Value::Object)),
            ("/data", Some(Value::Array)),
            ("/a/b~1c/d", None),
            ("/data/-1/id", number("12345678901234567890123")),
            ("/data/0/id", None),
            ("/e/-1/id", None),
            ("/data/-1", Some(Value::Object)),
            ("/", number("1.50")),
            ("/absent", None),
        ] {
            assert_eq!(member(body, pointer), expected, "{pointer}");
        }
    }

    #[test]
    fn array_bodies_and_invalid_bodies_are_accepted() {
        assert_eq!(
            member(br#"[{"id": "a"}, {"id": "b"}]"#, "/-1/id"),
            text("b")
        );
        for body in ["", "{", "[1, 2", "null", "7"] {
            assert_eq!(member(body.as_bytes(), "/a"), None, "{body}");
        }
    }
}
