//! Places in a response that describe its page or the next one, and places in a request that select a page.

use http::HeaderMap;
use serde_json::value::{RawValue, to_raw_value};

use crate::decode::member::{Value, member};
use crate::request::request::Request;

/// A place in a response that describes its page or the next one. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A member of the body: the first of these JSON Pointers that leads to a value other than null, with `-1` for the last element of an
    /// array.
    Body(&'static [&'static str]),
    /// A header.
    Header(&'static str),
}

/// The place of the cursor in a request. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A query parameter.
    Query(&'static str),
    /// A string in the JSON body, by its JSON Pointer.
    Text(&'static str),
    /// An integer in the JSON body, by its JSON Pointer.
    Integer(&'static str),
}

impl Source {
    /// Returns whether this place is in the last record of a page.
    pub(crate) fn is_of_record(self) -> bool {
        match self {
            Self::Body(pointers) => pointers
                .iter()
                .any(|pointer| pointer.split('/').any(|step| step == "-1")),
            Self::Header(_) => false,
        }
    }

    /// Returns the value at this place of a response; `None` for a missing value.
    pub(super) fn read(self, body: &[u8], headers: &HeaderMap) -> Option<Value> {
        match self {
            Self::Body(pointers) => {
                let mut null = None;
                for pointer in pointers {
                    match member(body, pointer) {
                        Some(Value::Null) => null = Some(Value::Null),
                        Some(value) => return Some(value),
                        None => {}
                    }
                }
                null
            }
            Self::Header(name) => {
                let text = headers.get(name)?.to_str().ok()?.trim();
                Some(Value::Text(text.to_owned()))
            }
        }
    }
}

impl Target {
    /// Returns the cursor of a request; `None` if it has none.
    pub(super) fn read(self, request: &Request) -> Option<String> {
        match self {
            Self::Query(name) => request.query_value(name),
            Self::Text(pointer) | Self::Integer(pointer) => request.body_member(pointer),
        }
    }

    /// Writes a cursor into a request, replacing the caller's.
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
            None => _ = request.refuse("position", "has a cursor that is not a number"),
        }
    }
}

/// Converts a cursor to a JSON integer of any size. It comes from the service or from a store, and may be any string.
fn integer(cursor: &str) -> Option<Box<RawValue>> {
    let digits = cursor.strip_prefix('-').unwrap_or(cursor);
    let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    let json = RawValue::from_string(cursor.to_owned()).ok();
    json.filter(|_| is_integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::document::api::Operation;

    static LIST: Operation = Operation::get("listThings", "/things");

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        for (target, cursor) in [
            (Target::Query("after"), "a b+c&d=\u{e9}%20"),
            (Target::Text("/page/after"), "a \"b\""),
            (Target::Integer("/page/after"), "-12"),
        ] {
            let mut request = Request::new(&LIST);
            assert_eq!(target.read(&request), None);
            target.write(&mut request, cursor);
            assert_eq!(target.read(&request).as_deref(), Some(cursor));
        }
    }
}
