//! From the schemas of a model to the types: the engine makes them, then each pass rewrites one thing.

use openapi_document::finding::{Finding, Stop};
use openapi_document::source::Source;
use openapi_model::Model;
use openapi_overrides::OverrideReport;

use super::context::Context;
use super::{engine, passes, runtime};

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
