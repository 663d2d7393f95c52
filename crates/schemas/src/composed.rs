//! What a schema is composed of.

use std::collections::{HashSet, VecDeque};

use openapi_document::resolver::{Resolver, Target};
use serde_json::Value;

/// Returns schemas with all that they refer to and list under some keywords, each once, the nearest first.
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
            let list = one.value.get(*key).and_then(Value::as_array);
            let list = list.into_iter().flatten().enumerate();
            waiting.extend(list.map(|(index, value)| Target {
                pointer: format!("{}/{key}/{index}", one.pointer),
                value,
            }));
        }
        all.push(one);
    }
    all
}
