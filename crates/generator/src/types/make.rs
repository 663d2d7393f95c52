//! From the schemas of a model to the types.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_model::Model;
use openapi_overrides::OverrideReport;

use super::context::Context;
use super::conversions::conversions;
use super::{errors, items, runtime};

/// Generates the types of all schemas in `model`. `source` is the reconciled document, for messages.
pub fn types(
    source: &Source,
    model: &Model,
    report: &OverrideReport,
) -> Result<syn::File, DocumentError> {
    DocumentError::unless_empty(runtime::check(source, model))?;
    let context = Context { model, report };
    declared(&context).map_err(|error| unparsed(&source.path, &error))
}

/// Returns the error of emitted code that does not parse, with a document, an operation or a part of the crate that it is of.
pub(crate) fn unparsed(of: &str, error: &syn::Error) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "emitted-code",
        of,
        format!("the code emitted for `{of}` does not parse: {error}"),
        "this is a defect of the generator: reduce the document to what causes it and report it",
    )])
}

fn declared(context: &Context<'_>) -> syn::Result<syn::File> {
    let beside = [
        conversions(context.model),
        errors::documented(context.model),
    ];
    let mut file: syn::File = syn::parse2(beside.into_iter().collect())?;
    let beside = std::mem::take(&mut file.items);
    file.items = items::declared(context)?;
    file.items.extend(beside);
    Ok(file)
}
