//! Published document + overrides = reconciled document. Pure: nothing here reads a file.

use openapi_document::finding::{Finding, Stop};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::ChangeKind;
use openapi_overlay::lists::settle;
use serde_json::Value;

use crate::judge::{OverrideReport, judge};
use crate::load::OverrideSet;

/// The published document after all overrides.
#[derive(Clone, Debug)]
pub struct ReconciledDocument {
    /// The document. Its path is the published one: that is where a reader looks first.
    pub source: Source,
    /// What was published, as its text has it; `None` where no override was applied.
    pub published: Option<Value>,
    /// The overrides that changed it, with their places.
    pub report: OverrideReport,
}

/// Applies every override, or reports all that are not simply applied, at once.
pub fn reconcile(published: &Source, overrides: &OverrideSet) -> Result<ReconciledDocument, Stop> {
    let judgements = judge(published, overrides);
    Stop::unless_empty(judgements.findings(published))?;
    let asked = overrides.questions.ask(&judgements.document);
    Ok(ReconciledDocument {
        source: published.with_value(judgements.document),
        published: (!overrides.overrides.is_empty()).then(|| published.value.clone()),
        report: OverrideReport {
            applied: judgements
                .all
                .into_iter()
                .map(|judgement| judgement.applied)
                .collect(),
            asked,
        },
    })
}

impl ReconciledDocument {
    /// The document.
    pub fn value(&self) -> &Value {
        &self.source.value
    }

    /// Says in findings about the document which override wrote the place, if one did, and shows the place in the published text.
    pub fn attribute(&self, stop: Stop) -> Stop {
        stop.map(|finding| self.attributed(finding))
    }

    /// The same for one finding.
    pub fn attributed(&self, finding: Finding) -> Finding {
        let writer = self.report.applied.iter().rev().find(|applied| {
            applied.changes.iter().any(|change| {
                change.kind != ChangeKind::Removed
                    && pointer::is_within(&finding.pointer, &change.pointer)
            })
        });
        let is_own = finding.file == self.source.path;
        let shown = match self.published.as_ref().filter(|_| is_own) {
            Some(published) => self.shown(finding, &self.source, published),
            None => finding,
        };
        match writer {
            Some(writer) if is_own => shown.note(format!("{} wrote it", writer.by.source.path)),
            _ => shown,
        }
    }

    /// A finding about the document, with the place in a text of it that says `value`: elements of lists have other positions there.
    pub fn shown(&self, mut finding: Finding, text: &Source, value: &Value) -> Finding {
        let (at, _) = settle(&self.source.value, value, &finding.pointer);
        finding.excerpt = text.finding(finding.rule, at, "", "").excerpt;
        finding
    }
}
