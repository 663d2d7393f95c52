//! Published document + overrides = reconciled document. Pure: nothing here reads a file.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::lists::settle;
use openapi_overlay::{Change, ChangeKind};
use serde_json::Value;

use crate::judge::{OverrideReport, judge};
use crate::load::OverrideSet;

/// The published document after all overrides.
#[derive(Clone, Debug)]
pub struct ReconciledDocument {
    /// The document. Its path is the published one: that is where a reader looks first.
    pub source: Source,
    /// The published document in its written order; `None` if no override was applied.
    pub published: Option<Value>,
    /// The overrides that changed it, with their places.
    pub report: OverrideReport,
}

/// Applies every override, or reports all that are not simply applied, at once.
pub fn reconcile(
    published: &Source,
    overrides: &OverrideSet,
) -> Result<ReconciledDocument, DocumentError> {
    let judgements = judge(published, overrides);
    DocumentError::unless_empty(judgements.findings())?;
    let is_changed = !(judgements.all.is_empty() && judgements.written.is_empty());
    Ok(ReconciledDocument {
        source: published.with_value(judgements.document.clone()),
        published: is_changed.then(|| published.value.clone()),
        report: judgements.report(),
    })
}

impl ReconciledDocument {
    /// The document.
    pub fn value(&self) -> &Value {
        &self.source.value
    }

    /// Adds to findings about the document the override that wrote the place, if one did, and shows the place in the published document.
    pub fn attribute(&self, stop: DocumentError) -> DocumentError {
        stop.map(|finding| self.attributed(finding))
    }

    /// The same for one finding.
    pub fn attributed(&self, finding: Finding) -> Finding {
        let is_writer = |changes: &[Change]| {
            changes.iter().any(|change| {
                change.kind != ChangeKind::Removed
                    && pointer::is_within(&finding.pointer, &change.pointer)
            })
        };
        let of_overlays = self.report.written.iter().rev();
        let of_overrides = self.report.applied.iter().rev();
        let writer = of_overlays
            .filter(|one| is_writer(&one.changes))
            .map(|one| one.file.as_str())
            .chain(
                of_overrides
                    .filter(|one| is_writer(&one.changes))
                    .map(|one| one.by.source.path.as_str()),
            )
            .next();
        let is_own = finding.file == self.source.path;
        let shown = match self.published.as_ref().filter(|_| is_own) {
            Some(published) => self.shown(finding, &self.source, published),
            None => finding,
        };
        match writer {
            Some(writer) if is_own => shown.note(format!("{writer} wrote it")),
            _ => shown,
        }
    }

    /// Adds to a finding about the document the place in the file `text` that has `value`: elements of lists have other positions there.
    pub fn shown(&self, mut finding: Finding, text: &Source, value: &Value) -> Finding {
        let (at, _) = settle(&self.source.value, value, &finding.pointer);
        finding.excerpt = text.finding(finding.rule, at, "", "").excerpt;
        finding
    }
}
