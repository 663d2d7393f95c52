//! Ways in which a property is sent, by its `readOnly` and `writeOnly`.

use openapi_schemas::reading::{Directions, Document, directions};
use serde_json::Value;

use crate::verdicts::way;

/// Ways in which a property is sent, and the keywords that restrict them.
pub(super) struct Flags<'d> {
    pub(super) ways: u8,
    pub(super) read_only: Option<&'d Value>,
    pub(super) write_only: Option<&'d Value>,
}

impl<'d> Flags<'d> {
    pub(super) fn of(document: &mut Document<'d>, parts: &[&'d Value]) -> Self {
        let Directions {
            read_only,
            write_only,
        } = directions(document, parts);
        let received = if read_only.is_some() {
            way::RECEIVED
        } else {
            way::BOTH
        };
        let sent = if write_only.is_some() {
            way::SENT
        } else {
            way::BOTH
        };
        Self {
            ways: received & sent,
            read_only,
            write_only,
        }
    }
}
