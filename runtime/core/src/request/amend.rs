//! Reads or writes one member of a JSON body, without changing the others.

use std::fmt;

use bytes::Bytes;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::body::Body;
use super::request::Request;
use crate::decode::member::{Value, member};

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
        let body = if self.body.is_empty() {
            Ok(None)
        } else {
            serde_json::from_slice::<Box<RawValue>>(&self.body).map(Some)
        };
        match body.and_then(|body| replaced(body.as_deref(), &steps, value)) {
            Err(_) => self.refuse("body", "is not a JSON object, so it cannot select a page"),
            Ok(body) if self.body.is_empty() => self.body(Body::json(&body)),
            Ok(body) => {
                self.body = Bytes::from(Box::<str>::from(body).into_string());
                self
            }
        }
    }
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Returns the object with a value at this path. `null` and an absent value count as an empty object.
fn replaced(
    object: Option<&RawValue>,
    steps: &[String],
    value: Box<RawValue>,
) -> serde_json::Result<Box<RawValue>> {
    let Some((name, rest)) = steps.split_first() else {
        return Ok(value);
    };
    let members: Option<Members> = match object {
        Some(object) => serde_json::from_str(object.get())?,
        None => None,
    };
    let mut members = members.unwrap_or_default();
    // The last of duplicate names counts.
    match members.0.iter_mut().rfind(|(own, _)| own == name) {
        Some((_, member)) => *member = replaced(Some(&**member), rest, value)?,
        None => members.0.push((name.clone(), replaced(None, rest, value)?)),
    }
    to_raw_value(&members)
}

/// The members of an object in their order.
#[derive(Default)]
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
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
