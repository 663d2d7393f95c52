//! The entry of a version in the changelog, for people who depend on the crate: in the terms of what they have, which is the reconciled document.

use std::fmt::Write;

use client_generator::surface::{Bump, Difference};
use openapi_diff::{Change, Differences, Wire};
use openapi_document::readable::counted;

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
        let listed = self.surface.iter();
        let listed = listed.filter(|one| one.bump == bump && !self.is_said_by_type(one));
        listed.map(|one| one.sentence.clone()).collect()
    }

    /// Returns whether a trait is new, or gone or changed with a type that has another line.
    fn is_said_by_type(&self, one: &Difference) -> bool {
        let Some(implementation) = one.item.strip_prefix("impl ") else {
            return false;
        };
        let mut others = self.surface.iter().filter(|other| other.bump == one.bump);
        one.bump == Bump::Minor || others.any(|other| is_about(implementation, &other.item))
    }
}

fn is_between_words(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | ':')
}

/// Returns whether an implementation names a type, of which an item is a part.
fn is_about(implementation: &str, item: &str) -> bool {
    let mut words = implementation.split(is_between_words);
    words.any(|word| {
        let part = item.strip_prefix(word).filter(|_| word.contains("::"));
        part.is_some_and(|part| part.is_empty() || part.starts_with("::"))
    })
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
    let wire = united(changes).into_iter();
    let patches = match wording::lines(changes.iter()) {
        // The changed descriptions are listed, instead of the fact that they changed.
        Some(lines)
            if since.moved.is_empty() && since.surface.iter().all(Difference::is_documentation) =>
        {
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

/// Lists the changes that callers may see. Changes of one kind are one line.
fn united(changes: &[Change]) -> Vec<String> {
    let listed = changes.iter();
    // Fewer credentials break no caller, but a forgotten key is no error any more.
    let listed = listed.filter(|change| change.wire >= Wire::Risky || change.rule.is_security());
    let mut kinds: Vec<(&Change, usize)> = Vec::new();
    for change in listed {
        let known = kinds
            .iter_mut()
            .find(|(first, _)| first.what == change.what);
        match known {
            Some((_, others)) => *others += 1,
            None => kinds.push((change, 0)),
        }
    }
    // Whether a key is needed comes first.
    kinds.sort_by_key(|(first, _)| !first.rule.is_security());
    let kinds = kinds.into_iter();
    kinds.map(|(first, others)| line(first, others)).collect()
}

/// Describes a change, and the number of other places that have it. The version tells callers its effect: the crate may adapt to it.
fn line(first: &Change, others: usize) -> String {
    let more = match others {
        0 => String::new(),
        others => format!(", and the same at {}", counted(others, "more place")),
    };
    format!("{}: {}{more}", first.owner, first.message)
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
