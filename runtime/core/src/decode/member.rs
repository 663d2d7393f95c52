//! Reads one member of a body without the others. Input: the bytes of a decoded body, and a JSON Pointer. Output: a plain value.
//!
//! It reads the bytes, because the records may be types of the caller, and the last record may not decode.

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, de};
use serde_json::value::RawValue;

use crate::decode::decode::without_mark;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// A string, or a number in its original spelling.
    Text(String),
    Flag(bool),
}

/// Returns the value at a JSON Pointer, with `-1` for the last element of an array; `None` for `null`, an object, an array, or a missing
/// value.
pub(crate) fn member(body: &[u8], pointer: &str) -> Option<Value> {
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
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, decoder: D) -> Result<Self::Value, D::Error> {
        if !self.0.is_empty() {
            return decoder.deserialize_any(self);
        }
        let raw: &RawValue = de::Deserialize::deserialize(decoder)?;
        let text = raw.get();
        Ok(match text.as_bytes().first() {
            Some(b'"') => serde_json::from_str(text).ok().map(Value::Text),
            Some(b't') => Some(Value::Flag(true)),
            Some(b'f') => Some(Value::Flag(false)),
            Some(b'-' | b'0'..=b'9') => Some(Value::Text(text.to_owned())),
            _ => None,
        })
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
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Self::Value, M::Error> {
        let mut found = None;
        let (wanted, rest) = self.0.split_first().unwrap_or((&EMPTY, &[]));
        while let Some(name) = members.next_key::<String>()? {
            match name == *wanted {
                true => found = members.next_value_seed(AtPointer(rest))?,
                false => _ = members.next_value::<IgnoredAny>()?,
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

    #[test]
    fn members_are_found_by_their_pointer_and_last_elements_by_minus_one() {
        let body = br#"{"a": {"b/c": "x\n", "n": null, "more": true}, "data": [{"id": 7}, {"id": 12345678901234567890123}], "e": [], "": 1.50}"#;
        for (pointer, expected) in [
            ("/a/b~1c", text("x\n")),
            ("/a/n", None),
            ("/a/more", Some(Value::Flag(true))),
            ("/a", None),
            ("/a/b~1c/d", None),
            ("/data/-1/id", text("12345678901234567890123")),
            ("/data/0/id", None),
            ("/e/-1/id", None),
            ("/data/-1", None),
            ("/", text("1.50")),
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
