//! Text to JSON value, strictly: what a document could mean in two ways is an error with a position.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why a text is no document.
pub(super) struct Problem {
    pub(super) rule: &'static str,
    /// Byte offset.
    pub(super) position: Option<usize>,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// Parses a text. JSON has a parser of its own: YAML's does not read all of it, surrogate pairs in escapes for one.
pub(super) fn parse(text: &str, is_json: bool) -> Result<Value, Problem> {
    let (message, position) = if is_json {
        match serde_json::from_str::<Strict>(text) {
            Ok(strict) => return Ok(strict.0),
            Err(error) => {
                let at = offset(text, error.line(), error.column());
                (error.to_string(), Some(at))
            }
        }
    } else if let Some(at) = nested(text) {
        ("it is nested too deeply".to_owned(), Some(at))
    } else {
        match serde_yaml::from_str::<Strict>(text) {
            Ok(strict) => return Ok(strict.0),
            Err(error) => {
                let at = error.location().map(|at| at.index().min(text.len()));
                (error.to_string(), at)
            }
        }
    };
    let (rule, help) = if message.contains("merge key") {
        ("merge-key", "write out what is merged")
    } else if message.contains(DUPLICATE) {
        (
            "duplicate-key",
            "keep one of the two: which one a parser takes is not defined",
        )
    } else {
        ("syntax", "correct the YAML or JSON at this place")
    };
    Err(Problem {
        rule,
        // A place inside of a character cannot be shown.
        position: position.filter(|at| text.is_char_boundary(*at)),
        message,
        help,
    })
}

/// Brackets that may be open at once. A text that people wrote leaves none open, whatever it says in words.
const OPEN: usize = 2_000;

/// Where too many brackets are open. The library takes time by the square of their number before it refuses them.
fn nested(text: &str) -> Option<usize> {
    let mut open: usize = 0;
    text.bytes().position(|byte| {
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        open > OPEN
    })
}

/// The byte of a line and column, both from one; columns of serde_json are bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (start + column.saturating_sub(1)).min(text.len())
}

const MERGE: &str = "<<";
const DUPLICATE: &str = "duplicate key";

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can hold")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("infinity and not-a-number have no place in JSON"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key_seed(Key)? {
            // Of YAML 1.1: the library reads it as a name, and what it merges would be lost.
            if key == MERGE {
                return Err(A::Error::custom(format_args!(
                    "the merge key `{MERGE}` is not supported"
                )));
            }
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("{DUPLICATE} `{key}`")));
            }
            let Strict(value) = access.next_value()?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// A key: text, or a whole number or truth value that stands for its text (`200:` below `responses`).
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Key {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is text (put it in quotes)")
    }

    fn visit_str<E>(self, value: &str) -> Result<String, E> {
        Ok(value.to_owned())
    }

    fn visit_u64<E>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_bool<E>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }
}
