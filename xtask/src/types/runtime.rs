//! Types of the runtime that `x-rust-type` may choose.

use crate::finding::Finding;
use crate::openapi::Model;
use crate::pointer;
use crate::source::Source;

/// A helper type of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeType {
    /// What an override writes.
    pub name: &'static str,
    /// The type's path.
    pub path: &'static str,
    /// The function that decodes an optional field of it without ever failing.
    pub decode: &'static str,
}

const RUNTIME_TYPES: [RuntimeType; 1] = [RuntimeType {
    name: "Credits",
    path: "::metered_client::Credits",
    decode: "::metered_client::wire::credits",
}];

/// The type that amounts of credits have.
pub(super) const CREDITS: &str = "Credits";

/// The runtime type of this name.
pub fn runtime_type(name: &str) -> Option<&'static RuntimeType> {
    RUNTIME_TYPES.iter().find(|one| one.name == name)
}

/// Names that are no runtime type.
pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    for schema in &model.schemas {
        for (property, value) in schema.properties() {
            let Some(wanted) = value.get("x-rust-type") else {
                continue;
            };
            if wanted.as_str().and_then(runtime_type).is_none() {
                let at = pointer::join(&format!("{}/properties", schema.pointer), property);
                let known: Vec<&str> = RUNTIME_TYPES.iter().map(|one| one.name).collect();
                findings.push(source.finding(
                    "rust-type",
                    format!("{at}/x-rust-type"),
                    format!("the runtime has no type {wanted}"),
                    format!("known are {}", known.join(", ")),
                ));
            }
        }
    }
    findings
}
