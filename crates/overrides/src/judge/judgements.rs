//! All overrides, judged one after the other. Pure: nothing here reads a file.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::{Change, ChangeKind};
use serde_json::Value;

use super::applied::{Applied, OverrideReport};
use super::one;
use super::problem::Written as Earlier;
use super::verdict::Verdict;
use crate::load::OverrideSet;
use crate::plain::Written;

/// One override, judged.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The override, and what it changed as far as it could be applied.
    pub applied: Applied,
    /// Its verdict.
    pub verdict: Verdict,
    /// The finding for a person, unless it is applied.
    pub finding: Option<Finding>,
}

/// All overrides judged, each against the document as the ones before it left it.
#[derive(Clone, Debug)]
pub struct Judgements {
    /// The document after all applicable overrides.
    pub document: Value,
    /// The judgements, in the order of application.
    pub all: Vec<Judgement>,
    /// The changes of the plain Overlays.
    pub written: Vec<Written>,
    /// Actions of plain Overlays that could not be applied.
    pub unapplied: Vec<Finding>,
}

impl Judgements {
    /// Returns the findings for a person: all overrides that are not applied.
    pub fn findings(&self) -> Vec<Finding> {
        let own = self.all.iter().filter_map(|one| one.finding.clone());
        self.unapplied.iter().cloned().chain(own).collect()
    }

    /// Returns the overrides with what they changed.
    pub fn report(self) -> OverrideReport {
        OverrideReport {
            applied: self.all.into_iter().map(|one| one.applied).collect(),
            written: self.written,
        }
    }
}

/// Judges every override in order.
pub fn judge(published: &Source, overrides: &OverrideSet) -> Judgements {
    let mut document = published.value.clone();
    let (mut written, mut unapplied) = (Vec::new(), Vec::new());
    for overlay in &overrides.overlays {
        written.push(overlay.apply(&mut document, &mut unapplied));
    }
    let corrected = (!overrides.overlays.is_empty()).then(|| document.clone());
    let published = corrected.as_ref().unwrap_or(&published.value);
    let mut all: Vec<Judgement> = Vec::new();
    for each in &overrides.overrides {
        let earlier: Vec<Earlier<'_>> = all
            .iter()
            .flat_map(|judgement| {
                judgement.applied.changes.iter().map(|change| Earlier {
                    change,
                    by: &judgement.applied.by,
                })
            })
            .collect();
        let judged = one::judge(published, document, each, &earlier);
        for change in &judged.changes {
            shift(&mut all, &judged.document, change);
        }
        document = judged.document;
        all.push(Judgement {
            applied: Applied {
                by: each.clone(),
                changes: judged.changes,
            },
            verdict: judged.verdict,
            finding: judged.finding,
        });
    }
    // What is no object is no document: the reader says so.
    if let Some(package) = overrides.package.as_ref().filter(|_| document.is_object()) {
        written.push(package.apply(&mut document, &mut unapplied));
    }
    Judgements {
        document,
        all,
        written,
        unapplied,
    }
}

/// Shifts earlier pointers when an element in front of them is removed.
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
