//! The names of chosen operations are those of operations.

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_model::Model;

/// Returns a finding for each chosen name that no operation has.
pub(super) fn check(document: &Source, model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, name) in model.subset.chosen.iter().flatten().enumerate() {
        if model.subset.names.contains(name) {
            continue;
        }
        let finding = document.finding(
            "package",
            format!("/info/x-rust-package/operations/{index}"),
            format!("no operation is called `{name}`"),
            "give the `operationId`, `METHOD /path`, or `tag:NAME` for all of a tag",
        );
        let names = model.subset.names.iter().map(String::as_str);
        findings.push(finding.suggest(name, names));
    }
    findings
}
