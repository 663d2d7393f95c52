//! Schemas to Rust types: the engine makes them, passes finish them.
//! Goes in: a [`Model`]. Comes out: one file's items, not yet formatted.

pub(crate) mod docs;
mod engine;
mod passes;
pub(crate) mod runtime;

use crate::finding::{Finding, Stop};
use crate::openapi::Model;
use crate::overrides::OverrideReport;
use crate::source::Source;

pub use runtime::{Form, RuntimeType, runtime_type};

/// What the passes look things up in.
pub(crate) struct Context<'c> {
    pub(crate) model: &'c Model,
    pub(crate) report: &'c OverrideReport,
}

/// Generates the types of all schemas in `model`. `source` is the reconciled document, for messages.
pub fn types(source: &Source, model: &Model, report: &OverrideReport) -> Result<syn::File, Stop> {
    Stop::unless_empty(runtime::check(source, model))?;
    let mut file = engine::run(source, model)?;
    let context = Context { model, report };
    for (name, pass) in passes::PASSES {
        pass(&mut file, &context).map_err(|error| {
            Stop::Findings(vec![Finding::about(
                "types-pass",
                &source.path,
                format!("the pass `{name}` emitted code that does not parse: {error}"),
                "this is a defect of the generator: reduce the document to the schema that causes it and report it",
            )])
        })?;
    }
    Ok(file)
}
