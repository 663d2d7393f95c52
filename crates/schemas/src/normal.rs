//! Rewrites the reconciled document in the one vocabulary.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;

use super::structure::document;
use super::version::version;
use super::walker::Walker;
use crate::LeftOut;

/// A document in the one vocabulary.
pub struct Normal {
    /// The document as the author wrote it.
    pub source: Source,
    /// Operations that lack a required part, and are removed from the document.
    pub left_out: Vec<LeftOut>,
    /// Warnings about lossy rewrites.
    pub warnings: Vec<Finding>,
}

/// Rewrites a document into the one vocabulary.
///
/// # Errors
///
/// The document is not OpenAPI 3.
pub fn normal(source: &Source) -> Result<Normal, DocumentError> {
    let mut warnings = Vec::new();
    version(source, &mut warnings)?;
    let mut value = source.value.clone();
    let mut walker = Walker::new(source, warnings);
    document(&mut walker, &mut value);
    let Walker {
        warnings,
        left_out,
        moved,
        ..
    } = walker;
    Ok(Normal {
        source: source.with_value(value).with_moved(moved),
        left_out,
        warnings,
    })
}
