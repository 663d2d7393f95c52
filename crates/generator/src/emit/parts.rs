//! The parts of the runtime that an emitted crate has.

use openapi_model::{BodyKind, Content, Model, Operation, TextFormat};

use super::packaging::Runtime;
use crate::operations;

/// Which optional parts of the runtime a crate has. One that contains the runtime has what its document needs, and what its package names; a
/// metered one, one with a command line, and one beside the runtime have all.
pub(crate) struct Parts<'m> {
    /// `None` for a crate with all parts.
    chosen: Option<&'m Model>,
}

impl<'m> Parts<'m> {
    pub(super) fn new(model: &'m Model, runtime: &Runtime) -> Self {
        let is_small =
            matches!(runtime, Runtime::Vendored(_)) && !model.is_metered && !model.package.cli;
        Self {
            chosen: is_small.then_some(model),
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
        let all = [
            "drift",
            "formats",
            "multipart",
            "paging",
            "streams",
            "waiting",
        ];
        all.into_iter().filter(|part| self.has(part)).collect()
    }

    /// Returns whether the crate has a part, by its feature of the runtime.
    pub(crate) fn has(&self, part: &str) -> bool {
        let Some(model) = self.chosen else {
            return true;
        };
        let mut operations = model.operations.iter();
        let is_needed = match part {
            "formats" => operations::has_formats(model),
            "multipart" => operations
                .flat_map(|operation| &operation.bodies)
                .any(|body| body.kind == BodyKind::Multipart),
            "paging" => !model.pages.is_empty(),
            "records" => {
                !model.pages.is_empty()
                    || operations
                        .flat_map(Operation::contents)
                        .any(|content| matches!(content, Content::Records(_)))
            }
            "streams" => operations.any(|operation| operation.streamed.is_some()),
            "waiting" => !model.waits.is_empty(),
            part => native(model).any(|feature| feature == part),
        };
        is_needed || model.package.parts.iter().any(|one| one == part)
    }
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
