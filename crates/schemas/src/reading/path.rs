//! The resolution path from a location to its schema: through references, and wrappers of one element and of null.

use openapi_document::keywords::{COMPOSITIONS, is_silent};
use openapi_document::resolver::{REFERRING, reference, target};
use serde_json::Value;

use super::document::Document;
use super::plain::is_blank;

/// Maximum length of a resolution path; a longer one is circular.
const LONGEST: usize = 32;

/// Returns the resolution path of a location, which is its first element. A value that is not a schema has only itself and its reference.
pub fn resolution_path(root: &Value, at: &str) -> Vec<String> {
    let mut nodes = vec![at.to_owned()];
    for _ in 0..LONGEST {
        let Some(last) = nodes.last() else { break };
        match inner(root, last) {
            Some(next) if !nodes.contains(&next) => nodes.push(next),
            _ => break,
        }
    }
    nodes
}

/// Returns whether a schema allows any value: it is `true`, or empty except for documentation and extensions.
pub fn allows_all(schema: &Value) -> bool {
    let map = schema.as_object();
    *schema == Value::Bool(true)
        || map.is_some_and(|map| {
            map.keys()
                .all(|key| !REFERRING.contains(&&**key) && is_beside(key))
        })
}

/// Returns whether a keyword beside a reference does not restrict its values.
fn is_beside(key: &str) -> bool {
    is_silent(key) || REFERRING.contains(&key) || matches!(key, "nullable" | "discriminator")
}

fn inner(root: &Value, at: &str) -> Option<String> {
    let schema = root.pointer(at)?;
    let map = schema.as_object()?;
    if let Some(reference) = reference(schema) {
        let target = target(root, reference)?.pointer;
        return map.keys().all(|key| is_beside(key)).then_some(target);
    }
    // The type is repeated by the wrapper.
    let mut telling = map
        .iter()
        .filter(|(key, _)| *key != "type" && !is_beside(key));
    let (key, list) = telling.next().filter(|_| telling.next().is_none())?;
    let list = list
        .as_array()
        .filter(|_| COMPOSITIONS.contains(&key.as_str()))?;
    let mut document = Document::new(root);
    let left = list.iter().enumerate();
    let mut left = left.filter(|(_, one)| key == "allOf" || !is_blank(&mut document, one));
    let (index, _) = left.next()?;
    left.next().is_none().then(|| format!("{at}/{key}/{index}"))
}
