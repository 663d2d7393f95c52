//! Wrappers of a schema: references, and compositions of one schema.

use openapi_document::keywords::{COMPOSITIONS, is_silent};
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::document::{Document, LIMIT};
use super::site::Site;

/// A wrapper of a schema.
pub(super) struct Wrapper<'d> {
    /// Target of the first reference, or the only schema of a composition.
    pub(super) inner: Option<&'d Value>,
    /// Other keywords.
    pub(super) rest: Vec<(&'d str, &'d Value)>,
}

/// Reads a schema as a wrapper; `None` if it is not an object.
pub(super) fn wrapper<'d>(document: &mut Document<'d>, schema: &'d Value) -> Option<Wrapper<'d>> {
    let map = schema.as_object()?;
    let (mut inner, mut rest) = (None, Vec::new());
    // The only alternative beside a discriminator has a tag, so it is more than its schema.
    let is_tagged = map.contains_key("discriminator");
    for (key, value) in map {
        let found = match value {
            _ if inner.is_some() => None,
            Value::String(text) if REFERRING.contains(&key.as_str()) => {
                document.target(text, schema)
            }
            Value::Array(all)
                if all.len() == 1
                    && COMPOSITIONS.contains(&key.as_str())
                    && !(is_tagged && key != "allOf") =>
            {
                all.first()
            }
            _ => None,
        };
        match found {
            Some(found) => inner = Some(found),
            None => rest.push((key.as_str(), value)),
        }
    }
    Some(Wrapper { inner, rest })
}

/// A site without the wrappers of its schema.
pub struct Peeled<'d> {
    /// The wrapped schema.
    pub site: Site<'d>,
    /// Wrappers that say something about the schema without a constraint, the outermost first.
    pub wrappers: Vec<&'d Value>,
}

/// Follows references and one-element lists to their target, as long as nothing around it constrains a value.
pub fn peel<'d>(document: &mut Document<'d>, mut site: Site<'d>) -> Peeled<'d> {
    let (mut wrappers, mut steps) = (Vec::new(), 0);
    while steps < LIMIT {
        let [part] = site.parts.as_slice() else { break };
        let part = *part;
        let Some(Wrapper {
            inner: Some(inner),
            rest,
        }) = wrapper(document, part)
        else {
            break;
        };
        if rest.iter().any(|(key, _)| !is_silent(key)) {
            break;
        }
        if !rest.is_empty() {
            wrappers.push(part);
        }
        site.parts = vec![inner];
        site.home = inner;
        steps += 1;
    }
    document.is_cut |= steps == LIMIT;
    Peeled { site, wrappers }
}

/// Returns a schema without references and one-element lists around it; `None` if they cannot be followed.
pub(super) fn unwrapped<'d>(document: &mut Document<'d>, schema: &'d Value) -> Option<&'d Value> {
    let mut at = schema;
    for _ in 0..LIMIT {
        at = document.object(at)?;
        match wrapper(document, at) {
            Some(Wrapper {
                inner: Some(inner),
                rest,
            }) if rest.is_empty() => at = inner,
            _ => return Some(at),
        }
    }
    document.is_cut = true;
    None
}
