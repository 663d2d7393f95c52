//! Published document + overrides = reconciled document. Pure: nothing here reads a file.

use serde_json::Value;

use crate::finding::{Finding, Stop};
use crate::overlay::ChangeKind;
use crate::overrides::judge::{OverrideReport, judge};
use crate::overrides::load::OverrideSet;
use crate::pointer;
use crate::source::Source;

/// The published document after all overrides.
#[derive(Clone, Debug)]
pub struct ReconciledDocument {
    /// The document. Its path is the published one: that is where a reader looks first.
    pub source: Source,
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

    /// Says in findings about the document which override wrote the place, if one did.
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
        match writer {
            Some(writer) if finding.file == self.source.path => {
                finding.note(format!("{} wrote it", writer.by.source.path))
            }
            _ => finding,
        }
    }
}
