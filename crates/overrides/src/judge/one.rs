//! One override, judged in order.

use openapi_document::finding::Finding;
use openapi_overlay::{Change, Selection};
use serde_json::Value;

use super::problem::{self, Problem, Written};
use super::verdict::Verdict;
use super::{goals, report};
use crate::load::Override;

/// One override judged in order.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// The document after it, as far as it could be applied.
    pub(super) document: Value,
    pub(super) changes: Vec<Change>,
    /// The finding for a person, unless it is applied.
    pub(super) finding: Option<Finding>,
}

/// Returns the verdict of one override in its order, and the document after it as far as it could be applied.
pub(crate) fn outcome(published: &Value, document: Value, one: &Override) -> (Verdict, Value) {
    let judged = judge(published, document, one, &[]);
    (judged.verdict, judged.document)
}

/// Judges one override against the document after the earlier ones. Guards are about the published document.
pub(super) fn judge(
    published: &Value,
    mut document: Value,
    one: &Override,
    earlier: &[Written<'_>],
) -> Judged {
    if goals::is_retired(&document, one) {
        return Judged {
            verdict: Verdict::Retired,
            document,
            changes: Vec::new(),
            finding: Some(report::retired(one)),
        };
    }
    let (mut changes, mut strays) = (Vec::new(), Vec::new());
    let mut problem: Option<Problem> = None;
    for action in &one.overlay.actions {
        let found = problem::problem(published, &document, action);
        let is_gone = matches!(found, Some(Problem::Gone(_)));
        problem = Problem::worse(problem, found);
        if is_gone {
            strays.extend(openapi_overlay::stray_step(&document, &action.target));
            continue;
        }
        match openapi_overlay::apply_action(
            &mut document,
            action,
            &one.source,
            Selection::MayBeEmpty,
        ) {
            Ok(more) => {
                let conflict = problem::conflict(published, action, &more, earlier);
                problem = Problem::worse(problem, conflict);
                changes.extend(more);
            }
            Err(finding) => problem = Problem::worse(problem, Some(Problem::Clash(finding))),
        }
    }
    let mut judged = Judged {
        verdict: Verdict::Applied,
        document,
        changes,
        finding: None,
    };
    if let Some(problem) = problem {
        let (verdict, finding) = problem.report(one, &strays);
        judged.verdict = verdict;
        judged.finding = Some(finding);
    }
    judged
}
