//! A schema that stands for another one: a reference, or a composition of one schema.

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use crate::schemas::side::Side;

/// Schemas within each other that are looked through. A longer chain is a circle, which is found when the schema is flattened.
pub(crate) const LAYERS: usize = 64;

/// One schema around another.
pub(crate) struct Layer<'d> {
    /// The schema that the first reference leads to, or the only one of a composition.
    pub(crate) inner: Option<&'d Value>,
    /// The other keywords.
    pub(crate) rest: Vec<(&'d str, &'d Value)>,
}

/// Reads a schema as a layer; `None` where it is no object.
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
