//! Published document + overrides = reconciled document, and who changed what.
//! Pure: nothing here reads a file.

use serde_json::Value;

use super::verdict::{self, Verdict, Written};
use crate::finding::{Finding, Stop};
use crate::overlay::{Change, ChangeKind, StrayStep};
use crate::overrides::load::{Family, Override, OverrideSet};
use crate::overrides::reconcile::rename;
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

/// One override, judged.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The override, and what it changed as far as it could be applied.
    pub applied: Applied,
    /// What has become of it.
    pub verdict: Verdict,
    /// What a person has to look at, unless it is applied.
    pub finding: Option<Finding>,
    /// Where the targets of an orphan leave the document.
    pub strays: Vec<StrayStep>,
}

impl Judgements {
    /// What a person has to look at: all overrides that are not simply applied.
    pub fn findings(&self, published: &Source) -> Vec<Finding> {
        rename::findings(published, &self.all)
    }
}

/// All overrides judged, each against the document as the ones before it left it.
#[derive(Clone, Debug)]
pub struct Judgements {
    /// The document after everything that could be applied.
    pub document: Value,
    /// The judgements, in the order of application.
    pub all: Vec<Judgement>,
}

/// Judges every override in its turn.
pub fn judge(published: &Source, overrides: &OverrideSet) -> Judgements {
    let mut document = published.value.clone();
    let mut all: Vec<Judgement> = Vec::new();
    for one in &overrides.overrides {
        let earlier: Vec<Written<'_>> = all
            .iter()
            .flat_map(|judgement| {
                judgement.applied.changes.iter().map(|change| Written {
                    change,
                    by: &judgement.applied.by,
                })
            })
            .collect();
        let judged = verdict::judge(&published.value, document, one, &earlier);
        for change in &judged.changes {
            shift(&mut all, &judged.document, change);
        }
        document = judged.document;
        all.push(Judgement {
            applied: Applied {
                by: one.clone(),
                changes: judged.changes,
            },
            verdict: judged.verdict,
            finding: judged.finding,
            strays: judged.strays,
        });
    }
    Judgements { document, all }
}

/// Applies every override, or reports all that are not simply applied, at once.
pub fn reconcile(published: &Source, overrides: &OverrideSet) -> Result<ReconciledDocument, Stop> {
    let judgements = judge(published, overrides);
    Stop::unless_empty(judgements.findings(published))?;
    Ok(ReconciledDocument {
        source: published.with_value(judgements.document),
        report: OverrideReport {
            applied: judgements
                .all
                .into_iter()
                .map(|judgement| judgement.applied)
                .collect(),
        },
    })
}

/// Keeps earlier pointers right when an element in front of them goes.
fn shift(earlier: &mut [Judgement], document: &Value, removed: &Change) {
    let Some((list, index)) = pointer::split_last(&removed.pointer) else {
        return;
    };
    let is_element = document.pointer(list).is_some_and(Value::is_array);
    let (ChangeKind::Removed, true, Ok(index)) = (removed.kind, is_element, index.parse::<usize>())
    else {
        return;
    };
    for change in earlier
        .iter_mut()
        .flat_map(|judgement| &mut judgement.applied.changes)
    {
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
        stop.map(|finding| {
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
        })
    }
}
