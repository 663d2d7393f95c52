//! The extensions that an override may write into a document. A misspelt one would be silent, so any other is an error.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::Overlay;
use serde_json::Value;

/// The keywords of the same schema that are only assumed.
pub(super) const ASSUMED: &str = "x-assumed";

/// The extensions that the generator reads.
const KNOWN: [&str; 17] = [
    "x-aliases",
    ASSUMED,
    "x-canonical",
    "x-credits",
    "x-credits-by",
    "x-fresh-for",
    "x-idempotency",
    "x-metered",
    "x-operation-id",
    "x-pagination",
    "x-rust-name",
    "x-rust-optional",
    "x-rust-package",
    "x-rust-type",
    "x-rust-type-name",
    "x-waiter",
    "x-webhook-signature",
];

/// Returns whether the keys of the object at a pointer are names, not keywords.
pub(super) fn has_names(at: &str) -> bool {
    ["/properties", "/headers", "/x-aliases"]
        .iter()
        .any(|end| at.ends_with(end))
}

/// Unknown extensions in the updates of an overlay.
pub(super) fn check(source: &Source, overlay: &Overlay) -> Vec<Finding> {
    let mut findings = Vec::new();
    let actions = overlay.actions.iter();
    let updates: BTreeMap<&str, &Value> = actions
        .filter_map(|action| Some((action.fields.as_str(), action.effect.update()?)))
        .collect();
    for (fields, update) in updates {
        let at = format!("{fields}/update");
        pointer::walk(update, &at, &mut |at, value| {
            for key in value.as_object().into_iter().flat_map(|map| map.keys()) {
                let is_extension = key.starts_with("x-") && !has_names(at);
                if is_extension && !KNOWN.contains(&key.as_str()) {
                    let finding = source.finding(
                        "unknown-extension",
                        pointer::join(at, key),
                        format!("the generator reads no extension `{key}`"),
                        format!("known are {}", KNOWN.join(", ")),
                    );
                    findings.push(finding.suggest(key, KNOWN));
                }
            }
        });
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_a_name_is_no_extension() {
        let text = "
            overlay: 1.1.0
            info: {title: t, version: 1.0.0}
            actions:
              - target: $.components.schemas.Kind
                update:
                  x-aliases: {x-old: [OLD]}
                  properties: {x-known: {x-alias: [other]}}
        ";
        let source = Source::parse("a.yaml", text.to_owned()).unwrap();
        let findings = check(&source, &Overlay::read(&source).unwrap());
        let [only] = findings.as_slice() else {
            panic!("{findings:?}");
        };
        assert!(only.pointer.ends_with("/x-known/x-alias"), "{only:?}");
    }
}
