//! Wrappers of a schema: references, and compositions of one schema.

use std::collections::HashSet;

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
    let (mut wrappers, mut way) = (Vec::new(), Way::default());
    while let [part] = site.parts.as_slice() {
        let part = *part;
        let Some(Wrapper {
            inner: Some(inner),
            rest,
        }) = wrapper(document, part)
        else {
            break;
        };
        if rest.iter().any(|(key, _)| !is_silent(key)) || !way.goes_on(document, part) {
            break;
        }
        if !rest.is_empty() {
            wrappers.push(part);
        }
        site.parts = vec![inner];
        site.home = inner;
    }
    Peeled { site, wrappers }
}

/// Returns a schema without references and one-element lists around it; `None` if they cannot be followed.
pub(super) fn unwrapped<'d>(document: &mut Document<'d>, schema: &'d Value) -> Option<&'d Value> {
    let (mut at, mut way) = (schema, Way::default());
    loop {
        at = document.object(at)?;
        match wrapper(document, at) {
            Some(Wrapper {
                inner: Some(inner),
                rest,
            }) if rest.is_empty() => {
                if !way.goes_on(document, at) {
                    return None;
                }
                at = inner;
            }
            _ => return Some(at),
        }
    }
}

/// The schemas that were passed on the way to another one.
#[derive(Default)]
pub(super) struct Way {
    passed: HashSet<*const Value>,
}

impl Way {
    /// Passes a schema. False if the way ends: it leads back to this schema, or is too long, which the document notes.
    pub(super) fn goes_on(&mut self, document: &mut Document<'_>, schema: &Value) -> bool {
        if !self.passed.insert(schema) {
            return false;
        }
        let is_within = self.passed.len() < LIMIT;
        document.is_cut |= !is_within;
        is_within
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::reading::is_null;

    #[test]
    fn a_circle_ends_and_is_not_too_long() {
        let circle = json!({"$ref": "#/components/schemas/Circle"});
        let root = json!({"components": {"schemas": {"Circle": {"allOf": [circle]}}}});
        let schema = &root["components"]["schemas"]["Circle"];
        let mut document = Document::new(&root);
        peel(&mut document, Site::new(Some(schema), schema));
        assert!(unwrapped(&mut document, schema).is_none());
        assert!(!is_null(&mut document, schema));
        assert!(!document.is_cut);
    }
}
