//! Two documents to the differences of their crates. Only what may differ is generated.

use openapi_diff::Difference;
use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;

use super::Surface;
use super::changed::changed;
use super::compare::compare;
use super::listed::consumed;
use crate::generate::{self, Read};

/// Returns all differences between the crates of two documents, as [`compare`] finds them. Parts that are equal in both are not generated.
///
/// # Errors
///
/// Either document cannot become a crate; the error has the findings of both.
pub fn between(
    old: &Source,
    new: &Source,
    report: &OverrideReport,
) -> Result<Vec<Difference>, [Option<DocumentError>; 2]> {
    let (before, after) = both(generate::read(old), generate::read(new))?;
    let parts = changed(&before.model, &after.model);
    let of = |document: &Source, read: &Read| -> Result<Surface, DocumentError> {
        let Some(parts) = &parts else {
            let code = read.part(read.model.clone(), report)?;
            let items = consumed(document, code, &read.model)?;
            return Ok(items.into_iter().collect());
        };
        let part = parts.part_of(&read.model);
        let code = read.part(part.clone(), report)?;
        let items = consumed(document, code, &read.model)?.into_iter();
        Ok(items
            .filter(|item| !parts.is_companion(&part, item))
            .collect())
    };
    let (before, after) = both(of(old, &before), of(new, &after))?;
    Ok(compare(&before, &after))
}

fn both<T>(
    old: Result<T, DocumentError>,
    new: Result<T, DocumentError>,
) -> Result<(T, T), [Option<DocumentError>; 2]> {
    match (old, new) {
        (Ok(old), Ok(new)) => Ok((old, new)),
        (old, new) => Err([old.err(), new.err()]),
    }
}
