//! Replies with JSON bodies.

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

use super::{AttemptResult, Reply};
use crate::response::failure::TransportErrorKind;

impl Reply {
    /// Makes a response with status code 200 and this value as JSON. A value that cannot be serialized makes it fail, as
    /// [`TransportErrorKind::Other`].
    ///
    /// ```
    /// # use generated_client::testing::Reply;
    /// Reply::json(&serde_json::json!({"title": "One", "pages": 25}));
    /// ```
    pub fn json(value: &(impl Serialize + ?Sized)) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self::new(200, body).header("content-type", "application/json"),
            Err(_) => Self::is_no_json("the value of a reply cannot be written as JSON"),
        }
    }

    /// Makes a response with status code 200 and its records at this JSON Pointer, such as `/data`. [`with`](Self::with) adds other
    /// members.
    ///
    /// ```
    /// # use generated_client::testing::Reply;
    /// Reply::page("/data", ["one", "two"]).with("/count", 2).with("/left", 4);
    /// ```
    pub fn page(at: &str, records: impl IntoIterator<Item = impl Serialize>) -> Self {
        let records: Vec<_> = records.into_iter().collect();
        Self::json(&serde_json::json!({})).with(at, records)
    }

    /// Sets the member of a JSON body at this JSON Pointer, such as a total. Missing objects along the path are added. If that is
    /// impossible, the reply fails, as [`TransportErrorKind::Other`].
    #[must_use]
    pub fn with(mut self, at: &str, value: impl Serialize) -> Self {
        if let AttemptResult::Responds { chunks, .. } = &mut self.ending {
            let body: Vec<u8> = chunks.iter().flatten().copied().collect();
            let Some(body) = set(&body, at, value) else {
                return Self::is_no_json("the body of a reply cannot hold this member");
            };
            *chunks = [Bytes::from(body)].into();
        }
        self
    }

    fn is_no_json(why: &'static str) -> Self {
        Self::ending(AttemptResult::Fails(TransportErrorKind::Other, why))
    }
}

/// Returns the body with the member set; `None` if there is no place for it.
fn set(body: &[u8], at: &str, value: impl Serialize) -> Option<Vec<u8>> {
    let value = serde_json::to_value(value).ok()?;
    let mut whole: Value = serde_json::from_slice(body).ok()?;
    let mut place = &mut whole;
    for step in at.strip_prefix('/')?.split('/') {
        let name = step.replace("~1", "/").replace("~0", "~");
        place = match place {
            Value::Array(list) => list.get_mut(name.parse::<usize>().ok()?)?,
            Value::Object(members) => members
                .entry(name)
                .or_insert_with(|| Value::Object(serde_json::Map::new())),
            _ => return None,
        };
    }
    *place = value;
    serde_json::to_vec(&whole).ok()
}
