//! A rebase as text for people, grouped by cause, and as JSON.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::finding::Finding;
use openapi_document::program::command;
use openapi_document::readable::shortened;
use serde_json::{Value, json};

use super::moved::{Cause, Follow, Rebase};
use super::preserve;

/// Maximum number of causes of one kind that are listed one by one.
const CAUSES: usize = 6;

/// Maximum number of notes.
const NOTES: usize = 8;

/// Maximum number of findings that are shown in full.
const FINDINGS: usize = 4;

impl Rebase {
    /// Describes the moves as pairs of a verb and a sentence. With `verbose`, each override and target is named, and nothing is omitted.
    pub fn lines(&self, verbose: bool) -> Vec<(&'static str, String)> {
        let mut lines = self.followed(verbose);
        lines.extend(preserve::lines(self, verbose));
        lines.extend(some("Note", &self.notes, NOTES, verbose));
        let accepted = self.accepted.iter();
        let accepted = accepted.map(|one| format!("{}: {}", one.reason, one.ids.join(", ")));
        let accepted: Vec<String> = accepted.collect();
        lines.extend(some("Accepted", &accepted, CAUSES, verbose));
        lines
    }

    /// Describes the overrides by cause.
    fn followed(&self, verbose: bool) -> Vec<(&'static str, String)> {
        let mut groups: BTreeMap<&Cause, Vec<&Follow>> = BTreeMap::new();
        for follow in &self.follows {
            groups.entry(&follow.cause).or_default().push(follow);
        }
        let groups: Vec<(&Cause, Vec<&Follow>)> = groups.into_iter().collect();
        let mut lines = Vec::new();
        for kind in groups.chunk_by(|(a, _), (b, _)| same_kind(a, b)) {
            if kind.len() > CAUSES && !verbose {
                lines.push(("Follow", together(kind)));
                continue;
            }
            for (cause, follows) in kind {
                lines.push(("Follow", format!("{cause}: {}", who(follows))));
                if verbose {
                    let shown = follows.iter().flat_map(|follow| {
                        let changed = follow.targets.iter().filter(|(old, new)| old != new);
                        changed.map(|(old, new)| format!("{}: {old} is {new}", follow.id))
                    });
                    let shown: BTreeSet<String> = shown.collect();
                    lines.extend(shown.into_iter().map(|text| ("", text)));
                    let ids: Vec<&str> = ids(follows).into_iter().map(String::as_str).collect();
                    lines.push(("", ids.join(", ")));
                }
            }
        }
        lines
    }

    /// Returns likely moves as one finding about the new document; `None` if all moves are certain.
    pub fn proposed(&self, document: &str) -> Option<Finding> {
        if self.proposals.is_empty() {
            return None;
        }
        let ids: BTreeSet<&String> = self.proposals.iter().flat_map(|one| &one.ids).collect();
        let finding = Finding::about(
            "likely-move",
            document,
            format!(
                "{} would follow the document, and it is not certain that they should",
                count(&ids)
            ),
            "if all of it is right, run the same command with `--accept`; if not, correct the targets of those overrides by hand",
        );
        const PROPOSALS: usize = 20;
        let shown = self.proposals.iter().take(PROPOSALS);
        let finding = shown.fold(finding, |finding, one| {
            finding.note(format!("{}: {}", one.reason, one.ids.join(", ")))
        });
        Some(match self.proposals.len().saturating_sub(PROPOSALS) {
            0 => finding,
            more => finding.note(format!("and {more} more: `--json` has all of them")),
        })
    }

    /// Adds the changes of the diff to the findings about moved overrides. Many of them become one finding, grouped by change;
    /// with `verbose`, all are shown in full.
    pub fn explained(&self, findings: Vec<Finding>, verbose: bool) -> Vec<Finding> {
        let id = |finding: &Finding| {
            let name = finding.file.rsplit('/').next().unwrap_or_default();
            name.rsplit_once('.')
                .map_or(name, |(stem, _)| stem)
                .to_owned()
        };
        let reasons = |finding: &Finding| -> BTreeSet<String> {
            let id = id(finding);
            let own = self.decisions.iter().filter(|one| one.id == id);
            own.map(|one| one.reason.clone()).collect()
        };
        if findings.len() <= FINDINGS || verbose {
            let explain = |finding: Finding| {
                let all = reasons(&finding).into_iter();
                all.fold(finding, |finding, reason| {
                    finding.note(format!("what changed: {reason}"))
                })
            };
            return findings.into_iter().map(explain).collect();
        }
        let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for finding in &findings {
            let mut why = reasons(finding);
            if why.is_empty() {
                let message = finding.message.as_str();
                let own = message.split_once(": ").map_or(message, |(_, why)| why);
                why.insert(own.to_owned());
            }
            for reason in why {
                let ids = groups.entry(reason).or_default();
                ids.insert(format!("{} ({})", id(finding), finding.rule));
            }
        }
        vec![grouped(&findings, groups)]
    }

    /// Returns everything as JSON.
    pub fn json(&self) -> Value {
        let follows = self.follows.iter().map(|one| {
            json!({"cause": one.cause.to_string(), "override": one.id, "targets": one.targets})
        });
        let likely = |all: &[super::moved::Proposal]| -> Vec<Value> {
            all.iter()
                .map(|one| json!({"reason": one.reason, "overrides": one.ids}))
                .collect()
        };
        let decisions = self.decisions.iter().map(|one| {
            json!({
                "override": one.id, "target": one.target, "reason": one.reason,
                "old": one.old, "new": one.new, "wanted": one.wanted,
            })
        });
        json!({
            "follows": follows.collect::<Vec<_>>(),
            "proposals": likely(&self.proposals),
            "accepted": likely(&self.accepted),
            "decisions": decisions.collect::<Vec<_>>(),
            "nulls": {
                "places": self.nulls.places,
                "never_null": self.nulls.known,
                "likely": self.nulls.is_likely,
                "kept": self.nulls.is_kept,
            },
            "notes": self.notes,
            "names": self.names,
            "files": self.files.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        })
    }
}

/// Merges findings into one, grouped by change.
fn grouped(findings: &[Finding], groups: BTreeMap<String, BTreeSet<String>>) -> Finding {
    const GROUPS: usize = 20;
    const LONGEST: usize = 140;
    let mut groups: Vec<(String, BTreeSet<String>)> = groups.into_iter().collect();
    groups.sort_by_key(|(reason, ids)| (std::cmp::Reverse(ids.len()), reason.clone()));
    let more = groups.len().saturating_sub(GROUPS);
    let finding = Finding::about(
        "overrides-to-decide",
        findings
            .first()
            .map(|first| first.file.clone())
            .unwrap_or_default(),
        format!("{} overrides need a decision", findings.len()),
        format!(
            "`--verbose` shows each with the fragments that differ. If it is still wrong, correct the override, and run `{}`. If it is now right, delete the override",
            command("overrides guard ID")
        ),
    );
    let first = groups.into_iter().take(GROUPS);
    let finding = first.fold(finding, |finding, (reason, ids)| {
        let ids: Vec<String> = ids.into_iter().collect();
        finding.note(format!(
            "{}: {}",
            shortened(&reason, LONGEST),
            ids.join(", ")
        ))
    });
    match more {
        0 => finding,
        more => finding.note(format!("and {more} more changes")),
    }
}

/// Returns the first sentences of a verb, or all of them, and the number of omitted ones.
fn some(
    verb: &'static str,
    all: &[String],
    most: usize,
    verbose: bool,
) -> Vec<(&'static str, String)> {
    let shown = if verbose { all.len() } else { most };
    let mut lines: Vec<_> = all
        .iter()
        .take(shown)
        .map(|one| (verb, one.clone()))
        .collect();
    if all.len() > shown {
        lines.push((
            verb,
            format!("{} more: --verbose lists them", all.len() - shown),
        ));
    }
    lines
}

fn same_kind(a: &Cause, b: &Cause) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// Describes many causes of one kind in one sentence.
fn together(kind: &[(&Cause, Vec<&Follow>)]) -> String {
    let all: Vec<&Follow> = kind
        .iter()
        .flat_map(|(_, follows)| follows.iter().copied())
        .collect();
    let first = kind
        .first()
        .map(|(cause, _)| cause.to_string())
        .unwrap_or_default();
    format!(
        "{first}, and {} like it: {}; --verbose lists them",
        kind.len().saturating_sub(1),
        who(&all)
    )
}

fn ids<'f>(follows: &[&'f Follow]) -> BTreeSet<&'f String> {
    follows.iter().map(|follow| &follow.id).collect()
}

/// Describes the number of overrides that follow.
fn who(follows: &[&Follow]) -> String {
    let ids = ids(follows);
    let verb = if ids.len() == 1 { "follows" } else { "follow" };
    format!("{} {verb}", count(&ids))
}

fn count(ids: &BTreeSet<&String>) -> String {
    match ids.len() {
        1 => "1 override".to_owned(),
        many => format!("{many} overrides"),
    }
}
