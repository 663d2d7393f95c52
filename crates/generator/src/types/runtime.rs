//! Types of the runtime that `x-rust-type` may choose, and those of string formats.

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_model::{Form, Model, Place, RUNTIME_TYPES, RuntimeType, runtime_type};

/// The type that amounts of credits have.
pub(crate) const CREDITS: &str = "Credits";

/// The runtime type that a schema chooses.
pub(super) fn chosen(place: &Place) -> Option<&'static RuntimeType> {
    runtime_type(place.rust_type.as_deref()?)
}

/// Returns the runtime type that replaces the schema's type at a place: by choice, or for its format.
pub(crate) fn instead(place: &Place) -> Option<&'static RuntimeType> {
    chosen(place)
        .or_else(|| place.text_format())
        .filter(|runtime| runtime.form != Form::Around)
}

/// Returns whether a schema chooses a runtime type that replaces its own.
pub(super) fn is_of_runtime(place: &Place) -> bool {
    chosen(place).is_some_and(|runtime| runtime.form != Form::Around)
}

/// Names that are no runtime type.
pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    for schema in &model.schemas {
        schema.place.walk(&schema.pointer, &mut |at, place| {
            findings.extend(unknown_type(source, &format!("{at}/x-rust-type"), place));
        });
    }
    // Schemas without a name belong to their operation.
    for operation in &model.operations {
        for place in operation.received() {
            place.walk("", &mut |_, place| {
                findings.extend(unknown_type(source, &operation.pointer, place));
            });
        }
    }
    findings
}

fn unknown_type(source: &Source, at: &str, place: &Place) -> Option<Finding> {
    let wanted = place.rust_type.as_deref()?;
    if runtime_type(wanted).is_some() {
        return None;
    }
    let known = RUNTIME_TYPES.iter().map(|one| one.name);
    let finding = source.finding(
        "rust-type",
        at,
        format!("the runtime has no type \"{wanted}\""),
        format!("known are {}", known.clone().collect::<Vec<_>>().join(", ")),
    );
    Some(finding.suggest(wanted, known))
}
