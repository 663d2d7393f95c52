//! Reads one member of a body without the others. Input: the bytes of a decoded body, and a JSON Pointer. Output: its JSON.
//!
//! It reads the bytes, because the records may be types of the caller, and the last record may not decode.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::allowance::Allowance;
use super::decode::without_mark;
use super::failure::Failure;
use super::reader::{Mode, Reader, State};

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
    fn new(text: &str) -> Option<Self> {
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

    /// Returns a string, or a number in its original spelling.
    pub(crate) fn into_scalar(self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text),
            Self::Null | Self::Flag(_) | Self::Array | Self::Object => None,
        }
    }

    /// Returns whether it names nothing: null, `false`, or an empty string, as in Google's `nextPageToken`.
    pub(crate) fn is_nothing(&self) -> bool {
        match self {
            Self::Null | Self::Flag(false) => true,
            Self::Text(text) => text.is_empty(),
            _ => false,
        }
    }

    /// Names the value in a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Flag(false) => "`false`",
            Self::Flag(true) => "`true`",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// Returns the value at a JSON Pointer, with `-1` for the last element of an array; `None` for a missing value.
pub(crate) fn member(body: &[u8], pointer: &str) -> Option<Value> {
    Value::new(raw_member(body, pointer)?)
}

/// Returns the JSON at such a pointer.
pub(crate) fn raw_member<'b>(body: &'b [u8], pointer: &str) -> Option<&'b str> {
    let steps: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect();
    let text = str::from_utf8(without_mark(body)).ok()?;
    let state = State::new(Mode::Strict, Allowance::UNBOUNDED);
    find(&mut Reader::new(text, state), &steps).ok().flatten()
}

fn find<'b>(reader: &mut Reader<'b>, steps: &[String]) -> Result<Option<&'b str>, Failure> {
    let Some((wanted, rest)) = steps.split_first() else {
        return reader.raw().map(Some);
    };
    let mut found = None;
    match reader.peek() {
        Some(b'{') => reader.members(&mut |name, reader| {
            if name == *wanted {
                found = find(reader, rest)?;
                Ok(())
            } else {
                reader.skip()
            }
        })?,
        Some(b'[') if wanted == "-1" => reader.list(&mut |reader| {
            found = find(reader, rest)?;
            Ok(())
        })?,
        // Any other value has no members.
        _ => reader.skip()?,
    }
    Ok(found)
}

/// The members of an object in their order, as raw JSON.
#[derive(Default)]
pub(crate) struct Members(pub(crate) Vec<(String, Box<RawValue>)>);

impl Members {
    /// Reads an object; `None` for another value. `null` and an empty text are an empty object.
    pub(crate) fn read(object: &str) -> Option<Self> {
        let mut reader = Reader::new(object, State::new(Mode::Strict, Allowance::UNBOUNDED));
        let mut members = Self::default();
        if reader.peek().is_none() || reader.null().ok()? {
            return Some(members);
        }
        let read = reader.members(&mut |name, reader| {
            members.0.push((name, reader.kept()?));
            Ok(())
        });
        read.and_then(|()| reader.end()).ok()?;
        Some(members)
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

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
