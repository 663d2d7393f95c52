//! Limits on the depth of a document: every reader of a document recurses into it.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;

/// Levels of the document. People write 20 or so; from about 100 on, a small stack is full.
const DEEPEST: usize = 64;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    pointer::walk(&source.value, "", &mut |at, _| {
        if at.matches('/').count() == DEEPEST && !at.contains("/example") {
            findings.push(source.finding(
                "nesting",
                at,
                format!("this is nested {DEEPEST} levels deep, and what is below still deeper"),
                "give an inner schema a name below /components/schemas in an override",
            ));
        }
    });
    findings
}
