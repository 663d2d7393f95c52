//! Directions of a property: `readOnly` and `writeOnly`.

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::side::Side;
use crate::verdicts::way;

/// Ways in which a property is sent, and the keywords that restrict them.
pub(super) struct Flags<'d> {
    pub(crate) ways: u8,
    pub(super) read_only: Option<&'d Value>,
    pub(super) write_only: Option<&'d Value>,
}

impl<'d> Flags<'d> {
    pub(crate) fn of(side: &mut Side<'d>, parts: &[&'d Value]) -> Self {
        let mut flags = Self {
            ways: way::BOTH,
            read_only: None,
            write_only: None,
        };
        // Only the flags of the schema and its references matter, so it need not be flattened.
        let mut waiting: Vec<&'d Value> = parts.to_vec();
        for _ in 0..64 {
            let Some(part) = waiting.pop() else { break };
            let on = |keyword: &str| {
                part.get(keyword)
                    .filter(|value| **value == Value::Bool(true))
            };
            if let Some(value) = on("readOnly") {
                flags.ways &= way::RECEIVED;
                flags.read_only = Some(value);
            }
            if let Some(value) = on("writeOnly") {
                flags.ways &= way::SENT;
                flags.write_only = Some(value);
            }
            if reference(part).is_some()
                && let Some(target) = side.object(part)
            {
                waiting.push(target);
            }
            for keyword in COMPOSITIONS {
                match part
                    .get(keyword)
                    .and_then(Value::as_array)
                    .map(Vec::as_slice)
                {
                    Some(all) if keyword == "allOf" => waiting.extend(all),
                    Some([only]) => waiting.push(only),
                    _ => {}
                }
            }
        }
        flags
    }
}
