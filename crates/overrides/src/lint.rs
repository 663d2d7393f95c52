//! Lints of a set of overrides. Lint never edits.

use openapi_document::finding::Finding;
use openapi_document::program::command;

use super::load::{Family, Override, OverrideSet};

/// Checks the set without generating.
pub fn lint(set: &OverrideSet) -> Vec<Finding> {
    set.overrides.iter().flat_map(lint_one).collect()
}

fn lint_one(one: &Override) -> Vec<Finding> {
    let mut findings = Vec::new();
    for action in one
        .overlay
        .actions
        .iter()
        .filter(|action| action.guard.is_none())
    {
        findings.push(one.source.finding(
            "override-guard",
            &action.pointer,
            format!(
                "`{}` has an action without a guard: a change of the document would go unnoticed",
                one.id
            ),
            format!(
                "run `{}`",
                command(format_args!("overrides guard {}", one.id))
            ),
        ));
    }
    let about = [
        ("/info/title", &one.overlay.title),
        ("/x-override/published", &one.about.published),
        ("/x-override/observed", &one.about.observed),
        ("/x-override/reference", &one.about.reference),
        ("/x-override/retire-when", &one.about.retire_when),
    ];
    for (pointer, _) in about.into_iter().filter(|(_, text)| text.trim().is_empty()) {
        let key = pointer.rsplit('/').next().unwrap_or(pointer);
        findings.push(one.source.finding(
            "override-about",
            pointer,
            format!("`{}` has no `{key}`", one.id),
            "write it: a later reader of the file has no other source",
        ));
    }
    if one.family == Family::Upstream && one.about.evidence.is_empty() {
        findings.push(one.source.finding(
            "override-evidence",
            "/x-override",
            format!(
                "`{}` says that the document is wrong, and shows no evidence",
                one.id
            ),
            "add the smallest payload that shows it below overrides/evidence/",
        ));
    }
    let unsaid = (one.evidence.iter()).filter(|evidence| evidence.said.note.trim().is_empty());
    findings.extend(unsaid.map(|evidence| {
        evidence.source.finding(
            "override-evidence",
            "/note",
            "`note` of the evidence does not say what it is built from",
            "write the sections of the reference, and that its values are made up",
        )
    }));
    findings
}
