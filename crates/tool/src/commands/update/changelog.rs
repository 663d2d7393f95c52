//! The entry of a version in the changelog, for people who depend on the crate: in the terms of what they have, which is the reconciled document.

use std::fmt::Write;

use client_generator::surface::{Bump, Difference};
use openapi_diff::{Differences, Wire};

use super::wording;

/// The changelog with an entry above all others.
pub(super) fn with_entry(changelog: &str, entry: &str) -> String {
    let at = changelog
        .find("\n## ")
        .map_or(changelog.len(), |at| at.saturating_add(1));
    let (head, tail) = changelog.split_at_checked(at).unwrap_or((changelog, ""));
    let gap = if head.is_empty() || head.ends_with("\n\n") {
        ""
    } else if head.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    let end = if tail.is_empty() { "" } else { "\n" };
    format!("{head}{gap}{entry}{end}{tail}")
}

/// The changes of a version.
pub(super) struct Notes<'n> {
    /// The operations that moved, in sentences.
    pub(super) moved: &'n [String],
    /// The changes of public items.
    pub(super) surface: &'n [Difference],
    /// The changes of the reconciled documents, apart from moves.
    pub(super) wire: &'n Differences,
}

impl Notes<'_> {
    /// Returns the changes of public items with this bump.
    fn sentences(&self, bump: Bump) -> Vec<String> {
        // A trait that a type implements now says nothing beside the type.
        let listed = self.surface.iter().filter(|one| {
            one.bump == bump && !(bump == Bump::Minor && one.item.starts_with("impl "))
        });
        listed.map(|one| one.sentence.clone()).collect()
    }
}

/// Writes the entry: breaking changes, additions, and the document that it follows if that changed.
pub(super) fn entry(version: &str, interface: &str, sections: &[Section]) -> String {
    let mut out = format!(
        "## {version}, unreleased\n\nFollows interface version {interface} of the published document, with the overrides listed in \
         `generated/OVERRIDES.md`.\n"
    );
    for (title, lines) in sections {
        let _ = writeln!(out, "\n{title}\n");
        for line in lines {
            let _ = writeln!(out, "- {line}");
        }
    }
    out
}

/// What breaks callers' builds.
pub(super) const COMPILES: &str = "Compiles differently:";
/// What callers may use.
pub(super) const NEW: &str = "New:";
/// What programs beside the crate see, and what comes back.
pub(super) const WIRE: &str = "On the wire:";

/// A list with its title.
pub(super) type Section = (&'static str, Vec<String>);

/// The lists of an entry. None is empty.
pub(super) fn sections(since: &Notes<'_>) -> Vec<Section> {
    let changes = &since.wire.changes;
    let wire = changes.iter().filter(|change| change.wire >= Wire::Risky);
    // The version tells callers the effect of a change: the crate may adapt to it.
    let wire = wire.map(|change| format!("{}: {}", change.owner, change.message));
    let patches = match wording::lines(changes.iter()) {
        // The changed descriptions are listed, instead of the fact that they changed.
        Some(lines) if since.surface.iter().all(Difference::is_documentation) => {
            ("Only descriptions change:", lines)
        }
        _ => ("Documentation and behaviour:", since.sentences(Bump::Patch)),
    };
    let mut sections = vec![
        (COMPILES, since.sentences(Bump::Major)),
        (NEW, since.sentences(Bump::Minor)),
        (WIRE, since.moved.iter().cloned().chain(wire).collect()),
        patches,
    ];
    sections.retain(|(_, lines)| !lines.is_empty());
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stands_above_the_others_and_below_the_introduction() {
        for (before, after) in [
            (
                "# Changelog\n\nFor people.\n\n## 0.1.0\n\n- A\n",
                "# Changelog\n\nFor people.\n\n## 0.2.0\n\n## 0.1.0\n\n- A\n",
            ),
            ("# Changelog\n", "# Changelog\n\n## 0.2.0\n"),
            ("", "## 0.2.0\n"),
        ] {
            assert_eq!(with_entry(before, "## 0.2.0\n"), after);
        }
    }
}
