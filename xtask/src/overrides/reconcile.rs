//! Published document + overrides = reconciled document, and who changed what.
//! Pure: nothing here reads a file.

use serde_json::Value;

use super::load::{Family, Override, OverrideSet};
use crate::finding::{Finding, Stop};
use crate::overlay::{self, Change, ChangeKind, Selection};
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
                for change in &changes {
                    shift(&mut report, &next, change);
                }
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

/// Keeps earlier pointers right when an element in front of them goes.
fn shift(report: &mut OverrideReport, document: &Value, removed: &Change) {
    let Some((list, index)) = pointer::split_last(&removed.pointer) else {
        return;
    };
    let is_element = document.pointer(list).is_some_and(Value::is_array);
    let (ChangeKind::Removed, true, Ok(index)) = (removed.kind, is_element, index.parse::<usize>())
    else {
        return;
    };
    for change in report.applied.iter_mut().flat_map(|one| &mut one.changes) {
        // Not `strip_prefix` alone: `/a` is no ancestor of `/ab`.
        let rest = change.pointer.strip_prefix(list);
        let Some(rest) = rest.filter(|rest| rest.starts_with('/')) else {
            continue;
        };
        let mut tokens = pointer::tokens(rest);
        let Some(Ok(later)) = tokens.next().map(|token| token.parse::<usize>()) else {
            continue;
        };
        if later > index {
            let shifted = format!("{list}/{}", later - 1);
            change.pointer = tokens.fold(shifted, |at, token| pointer::join(&at, &token));
        }
    }
}

impl ReconciledDocument {
    /// The document.
    pub fn value(&self) -> &Value {
        &self.source.value
    }

    /// Says in findings about the document which override wrote the place, if one did.
    pub fn attribute(&self, stop: Stop) -> Stop {
        let attribute = |mut finding: Finding| {
            let writer = self.report.applied.iter().rev().find(|applied| {
                applied.changes.iter().any(|change| {
                    change.kind != ChangeKind::Removed
                        && pointer::is_within(&finding.pointer, &change.pointer)
                })
            });
            if let Some(writer) = writer
                && finding.file == self.source.path
            {
                finding.message = format!(
                    "{} (as {} wrote it)",
                    finding.message, writer.by.source.path
                );
            }
            finding
        };
        match stop {
            Stop::Unreadable(findings) => {
                Stop::Unreadable(findings.into_iter().map(attribute).collect())
            }
            Stop::Findings(findings) => {
                Stop::Findings(findings.into_iter().map(attribute).collect())
            }
        }
    }
}
