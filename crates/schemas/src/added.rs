//! Schemas that a document does not have, made of those that it has.

use serde_json::{Map, Value, json};

/// Returns a schema of values that are one of several, each at a pointer.
pub fn union_of(pointers: &[String]) -> Map<String, Value> {
    let fragments = pointers.iter().map(|pointer| pointer.replace('%', "%25"));
    let alternatives = fragments.map(|fragment| json!({"$ref": format!("#{fragment}")}));
    Map::from_iter([("oneOf".to_owned(), alternatives.collect())])
}
