//! The entry of an update in the changelog, for people who depend on the crate.

use std::fmt::Write;

use crate::diff::{Report, Wire};
use crate::surface::{Bump, Difference};

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

/// What compiles differently, what is new, and which document it follows.
pub(super) fn entry(
    version: &str,
    interface: &str,
    differences: &[Difference],
    report: &Report,
) -> String {
    let mut out = format!(
        "## {version}, unreleased\n\nFollows interface version {interface} of the published document, with the overrides listed in \
         `generated/OVERRIDES.md`.\n"
    );
    let of = |bump: Bump| {
        differences
            .iter()
            .filter(move |difference| difference.bump == bump)
            .map(|difference| difference.sentence.clone())
    };
    let wire = report
        .changes
        .iter()
        .filter(|entry| entry.change.wire >= Wire::Risky)
        .map(|entry| {
            format!(
                "{} ({}): {}",
                entry.change.owner, entry.change.wire, entry.change.message
            )
        });
    list(&mut out, "Compiles differently:", of(Bump::Major));
    list(&mut out, "New:", of(Bump::Minor));
    list(&mut out, "On the wire:", wire);
    list(
        &mut out,
        "Documentation, and what calls do:",
        of(Bump::Patch),
    );
    out
}

fn list(out: &mut String, title: &str, sentences: impl Iterator<Item = String>) {
    let mut sentences = sentences.peekable();
    if sentences.peek().is_none() {
        return;
    }
    // Writing into a text does not fail.
    let _ = writeln!(out, "\n{title}\n");
    for sentence in sentences {
        let _ = writeln!(out, "- {sentence}");
    }
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
