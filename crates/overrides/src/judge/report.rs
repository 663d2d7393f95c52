//! The findings of overrides that are not applied: the verdict, and the next step.

use openapi_document::finding::Finding;
use openapi_document::program::{command, generate};
use openapi_document::readable::shortened;
use openapi_overlay::{Effect, StrayStep};
use serde_json::Value;

use super::problem::Problem;
use super::verdict::Verdict;
use crate::load::Override;

impl Problem {
    /// The verdict that follows from it, and the finding that explains it.
    pub(super) fn report(self, one: &Override, strays: &[StrayStep]) -> (Verdict, Finding) {
        let id = &one.id;
        let path = &one.source.path;
        let refresh = refresh(one);
        match self {
            Self::Clash(finding) => (Verdict::Outdated, *finding),
            Self::Conflict {
                action,
                pointer,
                by,
            } => (
                Verdict::Conflicting,
                one.source.finding(
                    "conflicting",
                    action,
                    format!("`{id}` writes #{pointer}, and so does {by}, differently"),
                    format!("keep one of the two: take the place out of {path} or out of {by}"),
                ),
            ),
            Self::Gone(actions) => (Verdict::Orphaned, orphaned(one, &actions, strays)),
            Self::Differs {
                action,
                differences,
                wanted,
            } => {
                let mut finding = one.source.finding(
                    "outdated",
                    format!("{action}/target"),
                    format!("`{id}`: the place in the document has changed since the override was written"),
                    format!(
                        "read the new fragment. If it is still wrong, correct {path}{} if needed, then {refresh}. If it is now right, delete the file{}",
                        and_evidence(one, "`published` in "),
                        and_evidence(one, "")
                    ),
                );
                for difference in differences {
                    let at = &difference.pointer;
                    let below = if at.is_empty() {
                        "the target".to_owned()
                    } else {
                        format!("#{at} below the target")
                    };
                    let wanted = match wanted.as_ref().map(|wanted| wanted.pointer(at)) {
                        None => "(nothing: it is removed)".to_owned(),
                        Some(None) => "(as it is)".to_owned(),
                        Some(Some(wanted)) => show(wanted),
                    };
                    finding = finding.note(format!(
                        "{below}\n  written against: {}\n  there now:       {}\n  wanted:          {wanted}",
                        show(&difference.expected),
                        show(&difference.found),
                    ));
                }
                (Verdict::Outdated, finding)
            }
        }
    }
}

/// Returns the finding for an override of which these actions have no place any more.
fn orphaned(one: &Override, actions: &[String], strays: &[StrayStep]) -> Finding {
    let (id, path) = (&one.id, &one.source.path);
    let first = actions.first().map_or("", String::as_str);
    let delete = if actions.len() == one.overlay.actions.len() {
        "or delete the file"
    } else {
        "or delete these actions: the other places of the file are still there"
    };
    let finding = one.source.finding(
        "orphaned",
        format!("{first}/target"),
        format!(
            "`{id}`: {} of its {} places are gone from the document",
            actions.len(),
            one.overlay.actions.len()
        ),
        format!(
            "if they moved, `{}` follows them; else find their new locations: correct the targets in {path}, then {}; {delete}",
            command("update DOCUMENT"),
            refresh(one)
        ),
    );
    let notes = strays.iter().map(StrayStep::to_string);
    notes.fold(finding, Finding::note)
}

/// Returns the command that brings the guards of an override up to date.
fn refresh(one: &Override) -> String {
    format!("`{}`", command(format_args!("overrides guard {}", one.id)))
}

/// Returns what goes with the file of an override: its evidence, or the members of it that `what` names.
fn and_evidence(one: &Override, what: &str) -> String {
    if one.about.evidence.is_empty() {
        String::new()
    } else {
        format!(" and {what}{}", one.about.evidence.join(", "))
    }
}

/// A fragment on one line.
fn show(value: &Value) -> String {
    const LONGEST: usize = 160;
    match value {
        Value::Null => "(nothing)".to_owned(),
        value => shortened(&value.to_string(), LONGEST),
    }
}

/// Returns the finding for an override whose goals hold already.
pub(super) fn retired(one: &Override) -> Finding {
    let wants_nothing = one.overlay.actions.iter().all(|action| {
        matches!(&action.effect, Effect::Update(Value::Object(update)) if update.is_empty())
    });
    if wants_nothing {
        return one.source.finding(
            "override-empty",
            "/actions",
            format!("`{}` changes nothing yet: its update is empty", one.id),
            format!(
                "write what {} is to change, then run {}",
                one.source.path,
                refresh(one)
            ),
        );
    }
    one.source
        .finding(
            "retired",
            "/info/title",
            format!(
                "`{}` is no longer needed: the document says all of it",
                one.id
            ),
            format!(
                "delete {}{}, then run `{}`",
                one.source.path,
                and_evidence(one, ""),
                generate()
            ),
        )
        .note(format!(
            "to be retired when: {}",
            one.about.retire_when.trim()
        ))
}
