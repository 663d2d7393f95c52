//! `anyOf` of anything but objects: the engine makes a struct of it, which would read no text and no number.

use serde_json::Value;

use crate::finding::Finding;
use crate::openapi::resolve;
use crate::pointer;
use crate::source::Source;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    pointer::walk(&source.value, "", &mut |at, value| {
        let parts = value.get("anyOf").and_then(Value::as_array);
        let count = parts.map_or(0, Vec::len);
        // A property may be called `anyOf`, and an example may hold anything.
        if count < 2 || at.ends_with("/properties") || at.contains("/example") {
            return;
        }
        let is_object = |index: usize| {
            resolve(&source.value, &format!("{at}/anyOf/{index}")).is_some_and(|(_, part)| {
                part.get("type").and_then(Value::as_str) == Some("object")
                    || part.get("properties").is_some()
                    || part.get("allOf").is_some()
            })
        };
        if !(0..count).all(is_object) {
            findings.push(source.finding(
                "any-of",
                format!("{at}/anyOf"),
                "`anyOf` has parts that are not objects, and would become a type that reads none of them",
                "write `oneOf`, or the one plain type that takes all of them, in an override",
            ));
        }
    });
    findings
}
