//! From the reconciled document to the one vocabulary.

use openapi_document::finding::{Finding, Stop};
use openapi_document::source::Source;

use super::structure::document;
use super::version::{Version, version};
use super::walker::Walker;
use crate::LeftOut;

/// A document in the one vocabulary.
pub struct Normal {
    /// The document. Its text is that of the author.
    pub source: Source,
    /// The version that it was written in.
    pub version: Version,
    /// The operations that miss a part. The document no longer has them.
    pub left_out: Vec<LeftOut>,
    /// What was rewritten in a way that loses something.
    pub warnings: Vec<Finding>,
}

/// Rewrites a document into the one vocabulary.
///
/// # Errors
///
/// A document that is not of OpenAPI 3.
pub fn normal(source: &Source) -> Result<Normal, Stop> {
    let mut warnings = Vec::new();
    let version = version(source, &mut warnings)?;
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
        version,
        left_out,
        warnings,
    })
}
