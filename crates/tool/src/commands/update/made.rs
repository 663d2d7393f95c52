//! The crate of the new document, in memory, and what it means to callers of the one they have.

use client_generator::emit::Code;
use client_generator::generate;
use client_generator::surface;
use openapi_diff::Differences;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, ReconciledDocument, reconcile};

use super::documents::Documents;
use super::moves::Moves;
use super::options::Options;
use super::{charges, paging};
use crate::layout::Layout;

/// The crate of the new document, and how it differs from the one that callers have.
pub(super) struct Made {
    pub(super) moves: Moves,
    pub(super) surface: Vec<surface::Difference>,
    /// Changes on the wire.
    pub(super) wire: Differences,
    pub(super) code: Code,
    /// The new operations that page, or may, a sentence for each.
    pub(super) paging: Vec<String>,
    pub(super) uncharged: Option<String>,
}

/// Generates the crate of the new document, and compares it with the one that callers have.
pub(super) fn made(
    layout: &Layout,
    options: &Options,
    documents: &Documents,
    kept: &OverrideSet,
    callers: Source,
) -> Result<Made, DocumentError> {
    let of_file = |finding, after: &_| of_file(finding, layout, documents, after);
    let (after, code) = generated(&documents.new, kept, layout.strict, &of_file)?;
    let moves = Moves::between(&callers.value, after.value());
    let callers = moves.applied(callers);
    let surface = surfaces(&callers, &after, &code)
        .map_err(|stop| stop.map(|finding| of_file(finding, &after)))?;
    // Compared with the document of the callers: overridden parts are known to them.
    let wire = openapi_diff::compare(&callers, &after.source);
    let lost = charges::lost(&callers, &code.model, kept)?;
    if let Some(lost) = lost.as_ref().filter(|_| !options.accept) {
        return Err(DocumentError::Findings(vec![
            lost.finding(&documents.given.path),
        ]));
    }
    Ok(Made {
        paging: paging::new_operations(&callers, &code.model.detections),
        moves,
        surface,
        wire,
        code,
        uncharged: lost.map(|lost| lost.sentence()),
    })
}

/// The code of the new document, generated once, and the report of its overrides. Findings about the document become those of its file.
fn generated(
    new: &Source,
    set: &OverrideSet,
    strict: bool,
    of_file: &dyn Fn(Finding, &ReconciledDocument) -> Finding,
) -> Result<(ReconciledDocument, Code), DocumentError> {
    let after = reconcile(new, set)?;
    let attributed = |stop: DocumentError| {
        stop.map(|finding| of_file(after.attributed(finding).error(), &after))
    };
    let code = generate::code(&after.source, &after.report).map_err(attributed)?;
    // A strict crate leaves nothing out without an override.
    if strict {
        let all = code.warnings.iter().chain(after.report.dead_targets());
        DocumentError::unless_empty(all.cloned().collect()).map_err(attributed)?;
    }
    Ok((after, code))
}

/// Compares the public items of the crate that callers have with the new ones.
fn surfaces(
    callers: &Source,
    after: &ReconciledDocument,
    code: &Code,
) -> Result<Vec<surface::Difference>, DocumentError> {
    // One report for both: callers cannot see the override that a string comes from.
    let old = surface::read(callers, &after.report)?;
    let new = surface::of(&after.source, code).map_err(|stop| after.attribute(stop))?;
    Ok(surface::compare(&old, &new))
}

/// A finding about the document in its place, as one about the file that it came from.
fn of_file(
    finding: Finding,
    layout: &Layout,
    Documents {
        given, as_given, ..
    }: &Documents,
    after: &ReconciledDocument,
) -> Finding {
    if finding.file != layout.document {
        return finding;
    }
    let mut shown = after.shown(finding, given, as_given);
    shown.file.clone_from(&given.path);
    shown
}
