//! Converts YAML and JSON to JSON values, with notes on ambiguities.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::pointer;

const MERGE: &str = "<<";
/// Error message of a strict reading.
pub(super) const MERGED: &str = "merge key";
pub(super) const DUPLICATE: &str = "duplicate key";

/// 2^64, the first float beyond 64 bits.
const BEYOND: f64 = 18_446_744_073_709_551_616.0;

/// A note on a value, for the user.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) rule: &'static str,
    pub(super) pointer: String,
    pub(super) message: String,
}

/// The current location, and the notes so far.
#[derive(Default)]
pub(super) struct Notes {
    path: RefCell<Vec<String>>,
    all: RefCell<Vec<Note>>,
}

impl Notes {
    pub(super) fn take(self) -> Vec<Note> {
        self.all.into_inner()
    }

    fn note(&self, rule: &'static str, message: String) {
        let path = self.path.borrow();
        let pointer = path
            .iter()
            .fold(String::new(), |at, token| pointer::join(&at, token));
        self.all.borrow_mut().push(Note {
            rule,
            pointer,
            message,
        });
    }

    fn enter(&self, token: String) {
        self.path.borrow_mut().push(token);
    }

    fn leave(&self) {
        self.path.borrow_mut().pop();
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
pub(super) struct Reader<'n> {
    notes: &'n Notes,
    is_strict: bool,
}

impl<'n> Reader<'n> {
    pub(super) fn new(notes: &'n Notes, is_strict: bool) -> Self {
        Self { notes, is_strict }
    }

    /// Reads an integer beyond 64 bits.
    fn large(self, number: f64) -> Value {
        self.notes.note(
            "large-number",
            format!("this number needs more than 64 bits, and is read as {number:e}"),
        );
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
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

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(self.large(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(self.large(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        match Number::from_f64(value) {
            Some(_) if value.abs() >= BEYOND && value.abs() < 1e40 => Ok(self.large(value)),
            Some(number) => Ok(Value::Number(number)),
            None if self.is_strict => Err(E::custom("JSON has no infinity and no not-a-number")),
            None => {
                self.notes.note(
                    "large-number",
                    format!("JSON has no number {value}, and it is read as a string"),
                );
                Ok(value.to_string().into())
            }
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            self.notes.enter(items.len().to_string());
            let item = access.next_element_seed(self)?;
            self.notes.leave();
            match item {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let mut merged = Vec::new();
        while let Some(key) = access.next_key_seed(Key {
            is_strict: self.is_strict,
        })? {
            // YAML 1.1 syntax: the library reads it as a name, and the merged value would be lost.
            let is_merge = key == MERGE;
            if is_merge && self.is_strict {
                return Err(A::Error::custom(format_args!(
                    "the {MERGED} `{MERGE}` is not supported"
                )));
            }
            let is_known = map.contains_key(&key);
            if is_known && self.is_strict {
                return Err(A::Error::custom(format_args!("{DUPLICATE} `{key}`")));
            }
            self.notes.enter(key);
            if is_merge {
                self.notes.note(
                    "merge-key",
                    format!("`{MERGE}` is a merge key of YAML 1.1, and is read as one"),
                );
            } else if is_known {
                self.notes.note(
                    "duplicate-key",
                    "this key occurs twice, and the last value counts".to_owned(),
                );
            }
            let value = access.next_value_seed(self)?;
            let key = self.notes.path.borrow_mut().pop().unwrap_or_default();
            if is_merge {
                merged.push(value);
            } else {
                map.insert(key, value);
            }
        }
        merge(&mut map, merged);
        Ok(Value::Object(map))
    }
}

/// Merges maps into a map: the map's own entries win, then the earlier map.
fn merge(map: &mut Map<String, Value>, merged: Vec<Value>) {
    for value in merged {
        match value {
            Value::Object(more) => {
                for (key, value) in more {
                    map.entry(key).or_insert(value);
                }
            }
            Value::Array(list) => merge(map, list),
            _ => {}
        }
    }
}

/// A key: a string, or an integer or boolean that stands for its spelling (`200:` below `responses`).
struct Key {
    is_strict: bool,
}

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Key {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is a string (put it in quotes)")
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

    fn visit_f64<E: Error>(self, value: f64) -> Result<String, E> {
        if self.is_strict {
            return Err(E::invalid_type(serde::de::Unexpected::Float(value), &self));
        }
        Ok(value.to_string())
    }

    fn visit_unit<E: Error>(self) -> Result<String, E> {
        if self.is_strict {
            return Err(E::invalid_type(serde::de::Unexpected::Unit, &self));
        }
        Ok("null".to_owned())
    }
}
