//! Published document + overrides = reconciled document, and who changed what.
//! Pure: nothing here reads a file.

use serde_json::Value;

use super::load::{Family, Override, OverrideSet};
use crate::finding::Stop;
use crate::overlay::{self, Change, Selection};
use crate::pointer;
use crate::source::Source;

/// The published document after all overrides.
#[derive(Clone, Debug)]
pub struct ReconciledDocument {
    /// The document. Its path is the published one: that is where a reader looks first.
    pub source: Source,
    /// Who changed it.
    pub report: OverrideReport,
}

/// What each override changed.
#[derive(Clone, Debug, Default)]
pub struct OverrideReport {
    /// The overrides, in the order in which they applied.
    pub applied: Vec<Applied>,
}

/// One override and the places it changed.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The override.
    pub by: Override,
    /// The places, as pointers into the document at the file's turn.
    pub changes: Vec<Change>,
}

impl OverrideReport {
    /// The overrides that changed the value at `pointer`, something in it, or brought a value around it.
    pub fn touching<'r>(&'r self, pointer: &'r str) -> impl Iterator<Item = &'r Applied> {
        self.applied.iter().filter(move |applied| {
            applied.changes.iter().any(|change| {
                pointer::is_within(&change.pointer, pointer)
                    || pointer::is_within(pointer, &change.pointer)
            })
        })
    }

    /// Overrides of one family.
    pub fn of(&self, family: Family) -> impl Iterator<Item = &Applied> {
        self.applied
            .iter()
            .filter(move |applied| applied.by.family == family)
    }
}

/// Applies every override in its turn. All overrides that fail are reported at once, each against the
/// document as the ones before it left it.
pub fn reconcile(published: &Source, overrides: &OverrideSet) -> Result<ReconciledDocument, Stop> {
    let mut document = published.value.clone();
    let mut report = OverrideReport::default();
    let mut findings = Vec::new();
    for one in &overrides.overrides {
        let mut next = document.clone();
        match overlay::apply(
            &mut next,
            &one.overlay,
            &one.source,
            Selection::MustNotBeEmpty,
        ) {
            Ok(changes) => {
                document = next;
                report.applied.push(Applied {
                    by: one.clone(),
                    changes,
                });
            }
            Err(finding) => findings.push(*finding),
        }
    }
    Stop::unless_empty(findings)?;
    Ok(ReconciledDocument {
        source: Source {
            value: document,
            ..published.clone()
        },
        report,
    })
}

impl ReconciledDocument {
    /// The document.
    pub fn value(&self) -> &Value {
        &self.source.value
    }
}
