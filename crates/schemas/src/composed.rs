//! The schemas that a schema refers to.

use std::collections::{HashSet, VecDeque};

use openapi_document::keywords::{Takes, keyword};
use openapi_document::resolver::{Resolver, Target};
use serde_json::Value;

/// Returns schemas and all those that they refer to or contain under some keywords, each once, the nearest first.
pub fn composed<'d>(
    document: &'d Value,
    from: impl IntoIterator<Item = Target<'d>>,
    keywords: &[&str],
) -> Vec<Target<'d>> {
    let resolver = Resolver::new(document);
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    let mut waiting: VecDeque<Target<'d>> = from.into_iter().collect();
    while let Some(one) = waiting.pop_front() {
        if !seen.insert(std::ptr::from_ref(one.value)) {
            continue;
        }
        let reference = one.value.get("$ref").and_then(Value::as_str);
        waiting.extend(reference.and_then(|reference| resolver.target(reference)));
        for key in keywords {
            match keyword(key).map(|row| row.takes) {
                Some(Takes::Schema | Takes::SchemaOrBool) => waiting.extend(one.child(key)),
                _ => waiting.extend(one.below(key)),
            }
        }
        all.push(one);
    }
    all
}
