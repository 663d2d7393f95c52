//! Types of the runtime that `x-rust-type` may choose, and those that formats of texts have.

use openapi_document::finding::{Finding, near};
use openapi_document::source::Source;
use openapi_model::{Model, Place};

/// A helper type of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeType {
    /// What an override writes.
    pub name: &'static str,
    /// The type's path.
    pub path: &'static str,
    /// How it takes the place of the schema's own type.
    pub form: Form,
}

/// How a runtime type takes the place of a schema's own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Instead of it. Its own decode never fails.
    Instead,
    /// Instead of it; an optional field is decoded by this function, which never fails.
    DecodedBy(&'static str),
    /// Around it, and around the element type of a list.
    Around,
}

pub(super) const RUNTIME_TYPES: [RuntimeType; 8] = [
    RuntimeType {
        name: "Base64",
        path: "::generated_client::values::Base64",
        form: Form::Instead,
    },
    RuntimeType {
        name: CREDITS,
        path: "::metered_client::Credits",
        form: Form::DecodedBy("::metered_client::money::lenient"),
    },
    RuntimeType {
        name: LOOSE,
        path: "::generated_client::values::Loose",
        form: Form::Around,
    },
    RuntimeType {
        name: "SecretText",
        path: "::generated_client::values::SecretText",
        form: Form::Instead,
    },
    RuntimeType {
        name: "TextDate",
        path: "::generated_client::values::TextDate",
        form: Form::Instead,
    },
    RuntimeType {
        name: "TextDecimal",
        path: "::generated_client::values::TextDecimal",
        form: Form::Instead,
    },
    RuntimeType {
        name: "TextRange",
        path: "::generated_client::values::TextRange",
        form: Form::Instead,
    },
    RuntimeType {
        name: "TextUuid",
        path: "::generated_client::values::TextUuid",
        form: Form::Instead,
    },
];

/// The type that amounts of credits have.
pub(crate) const CREDITS: &str = "Credits";

/// The type of a value of unknown form.
pub(crate) const LOOSE: &str = "Loose";

/// The runtime type of this name.
pub fn runtime_type(name: &str) -> Option<&'static RuntimeType> {
    RUNTIME_TYPES.iter().find(|one| one.name == name)
}

/// The runtime type that a schema chooses.
pub(super) fn chosen(place: &Place) -> Option<&'static RuntimeType> {
    runtime_type(place.rust_type.as_deref()?)
}

/// The runtime type that stands at a place instead of the schema's own: by choice, or for its format.
pub(crate) fn instead(place: &Place) -> Option<&'static RuntimeType> {
    let by_format = || runtime_type(place.text_format()?.type_name());
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
    // What has no name belongs to its operation.
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
