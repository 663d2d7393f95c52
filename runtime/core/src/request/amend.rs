//! Reads or writes one member of a JSON body, without changing the others.

use bytes::Bytes;
use serde_json::value::{RawValue, to_raw_value};

use super::body::Body;
use super::request::Request;
use crate::decode::member::{Members, Value, member};

impl Request {
    /// Returns the string or number at a JSON Pointer of the body; `None` if there is none.
    pub(crate) fn body_member(&self, pointer: &str) -> Option<String> {
        match member(&self.body, pointer)? {
            Value::Text(text) | Value::Number(text) => Some(text),
            Value::Null | Value::Flag(_) | Value::Array | Value::Object => None,
        }
    }

    /// Reads a whole number at a JSON Pointer of the body; `None` if there is none. For generated code.
    #[doc(hidden)]
    pub fn body_number(&self, pointer: &str) -> Option<u64> {
        self.body_member(pointer)?.parse().ok()
    }

    /// Writes a value at a JSON Pointer of the body. Missing objects along the path are added.
    pub(crate) fn replace_in_body(&mut self, pointer: &str, value: Box<RawValue>) -> &mut Self {
        let steps: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
        let body = str::from_utf8(&self.body).ok();
        match body.and_then(|body| replaced(body, &steps, value)) {
            None => self.refuse("body", "is not a JSON object, so it cannot select a page"),
            Some(body) if self.body.is_empty() => self.body(Body::json(&body)),
            Some(body) => {
                self.body = Bytes::from(Box::<str>::from(body).into_string());
                self
            }
        }
    }
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Returns the object with a value at this path. `null` and an absent value, an empty text, count as an empty object.
fn replaced(object: &str, steps: &[String], value: Box<RawValue>) -> Option<Box<RawValue>> {
    let Some((name, rest)) = steps.split_first() else {
        return Some(value);
    };
    let mut members = Members::read(object)?;
    // The last of duplicate names counts.
    match members.0.iter_mut().rfind(|(own, _)| own == name) {
        Some((_, member)) => *member = replaced(member.get(), rest, value)?,
        None => members.0.push((name.clone(), replaced("", rest, value)?)),
    }
    to_raw_value(&members).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;
    use crate::document::api::Operation;
    use crate::document::shape::Shape;

    static SEARCH: Operation = Operation {
        id: "search",
        method: Method::POST,
        path: "/search",
        extension: None,
        response: &Shape::Any,
    };

    #[test]
    fn writing_a_member_leaves_the_others_unchanged() {
        for (body, pointer, expected) in [
            ("", "/at", Some(r#"{"at":7}"#)),
            ("null", "/at", Some(r#"{"at":7}"#)),
            (
                r#"{"b": 1.10, "at":{"at": 1}, "a":"\u00e9"}"#,
                "/at",
                Some(r#"{"b":1.10,"at":7,"a":"\u00e9"}"#),
            ),
            (r#"{"at": 1, "at": 2}"#, "/at", Some(r#"{"at":1,"at":7}"#)),
            (
                r#"{"page": {"size": 2}}"#,
                "/page/a~1t",
                Some(r#"{"page":{"size":2,"a/t":7}}"#),
            ),
            ("[1]", "/at", None),
            (r#"{"at": 1}"#, "/at/at", None),
        ] {
            let mut request = Request::new(&SEARCH);
            request.body = Bytes::from(body);
            request.replace_in_body(pointer, to_raw_value(&7).unwrap());
            match expected {
                Some(expected) => {
                    assert_eq!(request.body, expected);
                    assert_eq!(request.body_number(pointer), Some(7));
                }
                None => assert!(request.refusal.is_some(), "{body}"),
            }
        }
    }
}
