//! The crate of the new document, in memory, and what it means to callers of the one they have.

use client_generator::emit::Code;
use client_generator::generate;
use client_generator::surface;
use openapi_diff::Differences;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overrides::{OverrideReport, OverrideSet, ReconciledDocument, reconcile};
use openapi_schemas::normal;

use super::additions::Additions;
use super::charges;
use super::documents::Documents;
use super::moves::Moves;
use super::options::Options;
use client_generator::generate::Layout;

/// The crate of the new document, and how it differs from the one that callers have.
pub(super) struct Made {
    pub(super) moves: Moves,
    pub(super) surface: Vec<surface::Difference>,
    /// Changes on the wire.
    pub(super) wire: Differences,
    pub(super) code: Code,
    pub(super) additions: Additions,
    pub(super) uncharged: Option<String>,
}

/// What callers have: the document of their crate, and what overrides changed in it.
pub(super) struct Callers {
    pub(super) document: Source,
    pub(super) report: OverrideReport,
}

/// Generates the crate of the new document, and compares it with the one that callers have.
pub(super) fn made(
    layout: &Layout,
    options: &Options,
    documents: &Documents,
    kept: &OverrideSet,
    callers: Callers,
) -> Result<Made, DocumentError> {
    let of_file = |finding, after: &_| of_file(finding, layout, documents, after);
    let (after, code) = generated(&documents.new, kept, layout.strict, &of_file)?;
    let moves = Moves::between(&callers.document.value, after.value());
    let report = moves.moved(callers.report);
    let callers = moves.applied(callers.document);
    let surface = surfaces((&callers, &report), &after, &code)
        .map_err(|stop| stop.map(|finding| of_file(finding, &after)))?;
    // Compared with the document of the callers: overridden parts are known to them. Other names of a property are no properties.
    let (was, is) = (normal(&callers)?, normal(&after.source)?);
    let wire = openapi_diff::compare(&was.source, &is.source);
    let lost = charges::lost(&callers, &code.model, kept)?;
    if let Some(lost) = lost.as_ref().filter(|_| !options.accept) {
        return Err(DocumentError::Findings(vec![
            lost.finding(&documents.given.path),
        ]));
    }
    Ok(Made {
        additions: Additions::new(&callers, &code.model),
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
        generate::strict(all).map_err(attributed)?;
    }
    Ok((after, code))
}

/// Compares the public items of the crate that callers have with the new ones.
fn surfaces(
    (callers, report): (&Source, &OverrideReport),
    after: &ReconciledDocument,
    code: &Code,
) -> Result<Vec<surface::Difference>, DocumentError> {
    let old = surface::read(callers, report)?;
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
