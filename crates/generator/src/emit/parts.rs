//! The parts of the runtime that an emitted crate has.

use openapi_model::{
    BodyKind, Carrier, Content, Model, Operation, Place, Scalar, Shape, TextFormat,
};

use super::packaging::Runtime;
use crate::operations;

/// The optional parts of the runtime that a crate has. One that contains the runtime has what its document needs, and what its package names; a
/// metered one, one with a command line, and one beside the runtime have all.
pub(crate) struct Parts<'m> {
    /// `None` for a crate with all parts.
    chosen: Option<&'m Model>,
}

impl<'m> Parts<'m> {
    pub(super) fn new(model: &'m Model, runtime: &Runtime) -> Self {
        let is_contained = matches!(runtime, Runtime::Vendored(_)) && !model.package.cli;
        let is_small = is_contained || model.package.types_only;
        Self {
            chosen: (is_small && !model.is_metered).then_some(model),
        }
    }

    /// All parts.
    pub(crate) fn all() -> Self {
        Self { chosen: None }
    }

    /// Returns the features of the core that a plain crate has for its parts.
    pub(super) fn of_core(&self) -> Vec<&'static str> {
        if self.chosen.is_none() {
            return vec!["full"];
        }
        CORE.into_iter().filter(|part| self.has(part)).collect()
    }

    /// Returns whether the crate has a part, by its feature of the runtime.
    pub(crate) fn has(&self, part: &str) -> bool {
        let Some(model) = self.chosen else {
            return true;
        };
        if model.package.types_only && !OF_TYPES.contains(&part) {
            return false;
        }
        let mut operations = model.operations.iter();
        let is_needed = match part {
            "calls" => true,
            "checks" => operations::has_checks(model) || sends_numbers(model),
            "enums" => has_place(model, is_enum),
            "formats" => operations::has_formats(model),
            "idempotency" => operations
                .flat_map(|operation| &operation.parameters)
                .any(|parameter| parameter.idempotency.is_some()),
            "multipart" => operations
                .flat_map(|operation| &operation.bodies)
                .any(|body| body.kind == BodyKind::Multipart),
            "paging" => {
                !model.pages.is_empty()
                    || operations.any(|operation| operation.pagination.is_some())
            }
            "records" => {
                !model.pages.is_empty()
                    || operations
                        .flat_map(Operation::contents)
                        .any(|content| matches!(content, Content::Records(_)))
            }
            "streams" => operations.any(|operation| operation.streamed.is_some()),
            "styles" => operations.any(has_style),
            "text-types" => has_place(model, is_text_type) || self.has_native(),
            "tokens" => {
                let mut schemes = model.auth.schemes.iter();
                // The module of several credentials names all of their types.
                operations::has_credentials(model)
                    || schemes.any(|scheme| scheme.carrier == Carrier::Bearer)
            }
            "unions" => has_place(model, is_union),
            "uploads" => operations.any(has_upload),
            "waiting" => !model.waits.is_empty(),
            part => native(model).any(|feature| feature == part),
        };
        is_needed || model.package.parts.iter().any(|one| one == part)
    }

    /// Returns whether callers can convert values to types of other crates.
    fn has_native(&self) -> bool {
        ["chrono", "jiff", "uuid"].iter().any(|part| self.has(part))
    }
}

/// The features of the core that a crate of the types alone may have.
const OF_TYPES: [&str; 7] = [
    "chrono",
    "enums",
    "jiff",
    "records",
    "text-types",
    "unions",
    "uuid",
];

/// The features of the core that a plain crate may lack.
const CORE: [&str; 16] = [
    "calls",
    "checks",
    "drift",
    "enums",
    "formats",
    "idempotency",
    "multipart",
    "paging",
    "records",
    "streams",
    "styles",
    "text-types",
    "tokens",
    "unions",
    "uploads",
    "waiting",
];

/// Returns whether a value of the document is such a one.
fn has_place(model: &Model, is_such: fn(&Place) -> bool) -> bool {
    let schemas = model.schemas.iter().map(|schema| &schema.place);
    let operations = model.operations.iter();
    let of_operations = operations.flat_map(|one| one.sent().chain(one.received()));
    let mut places = schemas.chain(of_operations);
    places.any(|place| has_within(place, is_such))
}

/// Returns whether callers send a number that is no integer, which may be one that JSON lacks.
fn sends_numbers(model: &Model) -> bool {
    let schemas = model.schemas.iter().filter(|one| one.usage.request);
    let operations = model.operations.iter().flat_map(Operation::sent);
    let mut places = schemas.map(|one| &one.place).chain(operations);
    places.any(|place| has_within(place, |place| place.scalar() == Some(Scalar::Number)))
}

fn has_within(place: &Place, is_such: fn(&Place) -> bool) -> bool {
    let mut is_found = false;
    place.walk("", &mut |_, place| is_found |= is_such(place));
    is_found
}

fn is_enum(place: &Place) -> bool {
    place.constant.is_some() || matches!(place.shape, Shape::Texts { .. })
}

fn is_union(place: &Place) -> bool {
    matches!(place.shape, Shape::Union { .. } | Shape::Tuple(_))
}

/// Returns whether strings have a type that parses them, or values a type of an assumed form.
fn is_text_type(place: &Place) -> bool {
    let runtime = place.text_format();
    runtime.is_some_and(|runtime| !runtime.is_secret()) || place.rust_type.is_some()
}

/// Returns whether an argument is written in a style of OpenAPI.
fn has_style(operation: &Operation) -> bool {
    let mut parameters = operation.parameters.iter();
    parameters.any(|parameter| parameter.style.is_some())
        || operation
            .bodies
            .iter()
            .any(|body| matches!(body.kind, BodyKind::Form | BodyKind::Multipart))
}

/// Returns whether a body may be read while it is sent.
fn has_upload(operation: &Operation) -> bool {
    let mut bodies = operation.bodies.iter();
    bodies.any(|body| {
        matches!(
            body.kind,
            BodyKind::Multipart | BodyKind::Bytes | BodyKind::Any
        )
    })
}

/// The features of the types of other crates that the types of the crate are.
pub(super) fn native(model: &Model) -> impl Iterator<Item = &'static str> {
    let types = model.package.types;
    let formats = [TextFormat::Date, TextFormat::DateTime, TextFormat::Uuid];
    let features = formats
        .into_iter()
        .filter_map(move |one| types.feature(one));
    features.filter(|one| !one.is_empty())
}
