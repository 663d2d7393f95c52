//! Where a page says something of itself or of the next page, and where a request says which page it asks for.

use http::HeaderMap;
use serde_json::value::{RawValue, to_raw_value};

use crate::decode::member::{Value, member};
use crate::request::request::Request;

/// A place in a response that says something of its page or of the next one. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A member of the body, by JSON Pointers with `-1` for the last element of an array: the first one that leads to a plain value.
    Body(&'static [&'static str]),
    /// A header, by its name.
    Header(&'static str),
}

/// The place in a request that takes a cursor. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A query parameter, by its name.
    Query(&'static str),
    /// A string in the JSON body, by its JSON Pointer.
    Text(&'static str),
    /// An integer in the JSON body, by its JSON Pointer.
    Integer(&'static str),
}

impl Source {
    /// The plain value that a response has there.
    pub(super) fn read(self, body: &[u8], headers: &HeaderMap) -> Option<Value> {
        match self {
            Self::Body(pointers) => pointers.iter().find_map(|pointer| member(body, pointer)),
            Self::Header(name) => {
                let text = headers.get(name)?.to_str().ok()?.trim();
                Some(Value::Text(text.to_owned()))
            }
        }
    }
}

impl Target {
    /// Whether the caller gave it.
    pub(super) fn is_given(self, request: &Request) -> bool {
        match self {
            Self::Query(name) => request.has_query(name),
            Self::Text(pointer) | Self::Integer(pointer) => request.body_member(pointer).is_some(),
        }
    }

    /// Writes a cursor into a request, instead of the one that the caller gave.
    pub(super) fn write(self, request: &mut Request, cursor: &str) {
        let (pointer, json) = match self {
            Self::Query(name) => {
                request.replace_query(name, &cursor);
                return;
            }
            Self::Text(pointer) => (pointer, to_raw_value(cursor).ok()),
            Self::Integer(pointer) => (pointer, integer(cursor)),
        };
        match json {
            Some(json) => _ = request.replace_in_body(pointer, json),
            None => _ = request.refuse("position", "has a cursor that is no number"),
        }
    }
}

/// An integer of any size as JSON. A cursor comes from the service or from a store, and may be any text.
fn integer(cursor: &str) -> Option<Box<RawValue>> {
    let digits = cursor.strip_prefix('-').unwrap_or(cursor);
    let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    let json = RawValue::from_string(cursor.to_owned()).ok();
    json.filter(|_| is_integer)
}
