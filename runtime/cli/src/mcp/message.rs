//! Messages of the protocol, as they arrive: each request that has an id gets a response, also one that cannot be read.

use std::fmt;

use generated_client::internal::without_mark;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;

use crate::visible::visible;

/// The most bytes of a message.
pub(super) const MOST: usize = 16 * 1024 * 1024;

/// Why a message cannot be read, as a response; `None` where a response would answer nothing: what has no id may be a notification, or no
/// message at all.
type Unreadable = Option<Box<ServerJsonRpcMessage>>;

/// Reads a message.
pub(super) fn read(text: &[u8]) -> Result<ClientJsonRpcMessage, Unreadable> {
    let text = without_mark(text);
    if text.len() > MOST {
        let problem = format!("The message has more than {MOST} bytes. Nothing was sent.");
        let error = ErrorData::invalid_request(problem, None);
        return Err(response(text, error));
    }
    serde_json::from_slice(text).map_err(|error| {
        let problem = error.to_string();
        let problem = visible(&problem);
        let error = match error.classify() {
            Category::Data => ErrorData::invalid_request(
                format!(
                    "The message is not a request of this protocol: {problem}. Nothing was sent."
                ),
                None,
            ),
            _ => ErrorData::parse_error(
                format!("The message is not JSON that can be read: {problem}. Nothing was sent."),
                None,
            ),
        };
        response(text, error)
    })
}

fn response(text: &[u8], error: ErrorData) -> Unreadable {
    let id = id(text)?;
    Some(Box::new(ServerJsonRpcMessage::error(error, Some(id))))
}

/// Returns the id of a message, if it stands before the place that cannot be read.
fn id(text: &[u8]) -> Option<RequestId> {
    let mut id = None;
    let mut json = serde_json::Deserializer::from_slice(text);
    // The id stays where the rest fails.
    _ = json.deserialize_map(FindId(&mut id));
    id
}

struct FindId<'f>(&'f mut Option<RequestId>);

impl<'de> Visitor<'de> for FindId<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "id" => *self.0 = map.next_value()?,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}
