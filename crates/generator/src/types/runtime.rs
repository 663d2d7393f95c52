//! Types of the runtime that `x-rust-type` may choose, and those of string formats.

use openapi_document::finding::{Finding, near};
use openapi_document::source::Source;
use openapi_model::{Form, Model, Place, RUNTIME_TYPES, RuntimeType, runtime_type};

/// The type that amounts of credits have.
pub(crate) const CREDITS: &str = "Credits";

/// The type of a value of unknown form.
pub(crate) const LOOSE: &str = "Loose";

/// The runtime type that a schema chooses.
pub(super) fn chosen(place: &Place) -> Option<&'static RuntimeType> {
    runtime_type(place.rust_type.as_deref()?)
}

/// Returns the runtime type that replaces the schema's type at a place: by choice, or for its format.
pub(crate) fn instead(place: &Place) -> Option<&'static RuntimeType> {
    let by_format = || place.text_format();
    chosen(place)
        .or_else(by_format)
        .filter(|runtime| runtime.form != Form::Around)
}

/// Names that are no runtime type.
pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut note = |at: &str, place: &Place| {
        let wanted = place.rust_type.as_deref();
        let unknown = wanted.filter(|wanted| runtime_type(wanted).is_none());
        findings.extend(unknown.map(|wanted| unknown_type(source, at, wanted)));
    };
    for schema in &model.schemas {
        schema.place.walk(&schema.pointer, &mut |at, place| {
            note(&format!("{at}/x-rust-type"), place);
        });
    }
    // Schemas without a name belong to their operation.
    for operation in &model.operations {
        for place in operation.received() {
            place.walk("", &mut |_, place| note(&operation.pointer, place));
        }
    }
    findings
}

fn unknown_type(source: &Source, at: &str, wanted: &str) -> Finding {
    let known = RUNTIME_TYPES.iter().map(|one| one.name);
    let finding = source.finding(
        "rust-type",
        at,
        format!("the runtime has no type \"{wanted}\""),
        format!("known are {}", known.clone().collect::<Vec<_>>().join(", ")),
    );
    match near(wanted, known) {
        Some(near) => finding.note(format!("did you mean `{near}`?")),
        None => finding,
    }
}
