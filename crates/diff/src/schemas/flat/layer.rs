//! Wrappers of a schema: references, and compositions of one schema.

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use crate::schemas::side::Side;

/// Maximum number of nested wrappers. A longer chain is a cycle, which is found when the schema is flattened.
pub(crate) const LAYERS: usize = 64;

/// A wrapper of a schema.
pub(crate) struct Layer<'d> {
    /// Target of the first reference, or the only schema of a composition.
    pub(crate) inner: Option<&'d Value>,
    /// Other keywords.
    pub(crate) rest: Vec<(&'d str, &'d Value)>,
}

/// Reads a schema as a wrapper; `None` if it is not an object.
pub(crate) fn layer<'d>(side: &mut Side<'d>, schema: &'d Value) -> Option<Layer<'d>> {
    let (mut inner, mut rest) = (None, Vec::new());
    for (key, value) in schema.as_object()? {
        let found = match value {
            _ if inner.is_some() => None,
            Value::String(text) if REFERRING.contains(&key.as_str()) => side.target(text, schema),
            Value::Array(all) if COMPOSITIONS.contains(&key.as_str()) && all.len() == 1 => {
                all.first()
            }
            _ => None,
        };
        match found {
            Some(found) => inner = Some(found),
            None => rest.push((key.as_str(), value)),
        }
    }
    Some(Layer { inner, rest })
}
