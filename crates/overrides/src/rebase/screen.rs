//! A rebase as text for people.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::finding::Finding;
use openapi_document::readable::{counted, listed};

use super::moved::{LISTED, Likely, Proposal, Rebase};
use super::preserve;

/// What an update assumes.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// A few words.
    pub what: String,
    /// The whole of it, with the file that has it.
    pub line: String,
}

impl Rebase {
    /// Describes the moves as pairs of a verb and a sentence. With `verbose`, each override is named, with its targets and each reason.
    pub fn lines(&self, verbose: bool) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        if !self.follows.is_empty() {
            let ids = count(self.follows.len());
            let help = if verbose {
                ""
            } else {
                "; --verbose lists their targets"
            };
            let text = format!("{ids}, in the terms of the new document{help}");
            lines.push(("Follow", text));
        }
        for one in self.follows.iter().filter(|_| verbose) {
            lines.push(("", one.id.clone()));
            for (old, new) in &one.targets {
                lines.push(("", format!("  {old} is {new}")));
            }
        }
        // Names come first, because they need no decision.
        lines.extend(preserve::names(&self.kept).map(|text| ("Kept", text)));
        lines.extend(preserve::nulls(&self.nulls));
        lines.extend(self.lacking().map(|text| ("Note", text)));
        let accepted = by_kind(&self.accepted, verbose);
        lines.extend(accepted.into_iter().map(|text| ("Accepted", text)));
        lines
    }

    /// Describes the likely moves that were accepted, and the places that an override keeps against the new document.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let mut all = Vec::new();
        for (kind, proposals) in kinds(&self.accepted) {
            all.push(Assumption {
                what: format!("{kind} ({})", count(files(&proposals).len())),
                line: summed_up(kind, &proposals),
            });
        }
        let nulls = preserve::nulls(&self.nulls).filter(|_| self.nulls.is_kept);
        all.extend(nulls.map(|(_, line)| Assumption {
            what: format!("{} places never null", self.nulls.places.len()),
            line,
        }));
        all
    }

    /// Describes why overrides changed, and what the new document lacks.
    pub fn changed(&self) -> Vec<String> {
        let lacking: BTreeSet<&String> = self.lacking.values().flatten().collect();
        let (mut moved, mut rewritten) = (Vec::new(), Vec::new());
        for one in self.follows.iter().filter(|one| !lacking.contains(&one.id)) {
            let ids = if one.targets.is_empty() {
                &mut rewritten
            } else {
                &mut moved
            };
            ids.push(one.id.as_str());
        }
        let mut lines = Vec::new();
        for (reason, ids) in [
            (
                "the document has other names or places for what these are about",
                moved,
            ),
            (
                "the document has other content at the places of these",
                rewritten,
            ),
        ] {
            if !ids.is_empty() {
                lines.push(format!("{reason}: {}", listed(&ids, LISTED)));
            }
        }
        lines.extend(self.lacking());
        lines
    }

    /// Describes the names that an override keeps.
    pub fn preserved(&self) -> Vec<String> {
        preserve::names(&self.kept).into_iter().collect()
    }

    /// Describes what the new document lacks.
    fn lacking(&self) -> Option<String> {
        let gone: Vec<&str> = self.lacking.keys().map(String::as_str).collect();
        let ids: BTreeSet<&str> = (self.lacking.values().flatten())
            .map(String::as_str)
            .collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        (!gone.is_empty()).then(|| {
            format!(
                "the document no longer has or uses {}; these overrides keep their other places: {}",
                gone.join(", "),
                ids.join(", ")
            )
        })
    }

    /// Returns likely moves as one finding about the new document; `None` if all moves are certain.
    pub fn proposed(&self, document: &str, verbose: bool) -> Option<Finding> {
        if self.proposals.is_empty() {
            return None;
        }
        let files: BTreeSet<&String> = self.proposals.iter().flat_map(|one| &one.files).collect();
        let finding = Finding::about(
            "likely-move",
            document,
            format!(
                "{} would follow the document, and it is not certain that they should",
                count(files.len())
            ),
            "if all of it is right, run the same command with `--accept`; if not, correct the targets of those overrides by hand",
        );
        let lines = by_kind(&self.proposals, verbose).into_iter();
        Some(lines.fold(finding, Finding::note))
    }

    /// Adds to the findings about moved overrides what changed.
    pub fn explained(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut explained = Vec::new();
        for finding in findings {
            let reasons = self.reasons(&finding).into_iter();
            explained.push(reasons.fold(finding, |finding, reason| {
                finding.note(format!("what changed: {reason}"))
            }));
        }
        explained
    }

    /// Returns why the override of a finding does not follow.
    fn reasons(&self, finding: &Finding) -> BTreeSet<&str> {
        let own = self.decisions.iter().filter(|one| one.id == id(finding));
        own.map(|one| one.reason.as_str()).collect()
    }
}

/// Returns the identifier of the override that a finding is about.
fn id(finding: &Finding) -> &str {
    let name = finding.file.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Describes likely moves, a line for each kind, with the first of its reasons. With `verbose`, each reason has a line.
fn by_kind(proposals: &[Proposal], verbose: bool) -> Vec<String> {
    let kinds = kinds(proposals).into_iter();
    if !verbose {
        return kinds.map(|(kind, all)| summed_up(kind, &all)).collect();
    }
    let each = kinds.flat_map(|(_, all)| all);
    let lines = each.map(|one| format!("{}: {}", one.reason, one.files.join(", ")));
    lines.collect()
}

/// Describes likely moves of one kind.
fn summed_up(kind: Likely, all: &[&Proposal]) -> String {
    let files: Vec<&str> = files(all).into_iter().collect();
    let reason = all.first().map(|one| one.reason.as_str());
    let more = match all.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!(
        "{kind}: {}; {}{more}",
        files.join(", "),
        reason.unwrap_or_default()
    )
}

fn kinds(proposals: &[Proposal]) -> BTreeMap<Likely, Vec<&Proposal>> {
    let mut kinds: BTreeMap<Likely, Vec<&Proposal>> = BTreeMap::new();
    for one in proposals {
        kinds.entry(one.kind).or_default().push(one);
    }
    kinds
}

/// Returns the files of the overrides that would follow.
fn files<'p>(proposals: &[&'p Proposal]) -> BTreeSet<&'p str> {
    let files = proposals.iter().flat_map(|one| &one.files);
    files.map(String::as_str).collect()
}

fn count(overrides: usize) -> String {
    counted(overrides, "override")
}
