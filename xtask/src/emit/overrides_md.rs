//! OVERRIDES.md: for users of the crate, what it knows better than the published document, and what is unknown.

use crate::overlay::ChangeKind;
use crate::overrides::{Applied, Asked, Family, OverrideReport};

pub(super) fn emit(report: &OverrideReport) -> String {
    let mut text = String::from(
        "# What differs from the published document\n\n\
         This crate follows the published document, except for the overrides listed here. Each entry says what is\n\
         published, what is observed or assumed, and which change of the document retires the override.\n",
    );
    for family in Family::ALL {
        if report.of(family).next().is_none() {
            continue;
        }
        let (title, meaning) = match family {
            Family::Upstream => (
                "Corrected",
                "The document says one thing and the service does another.",
            ),
            Family::Assumed => (
                "Assumed",
                "The document is silent and the client needs a decision. These assumptions may be wrong.",
            ),
            Family::Generator => (
                "Added for the generator",
                "The document is right but too brief for good code. Nothing on the wire changes.",
            ),
        };
        text.push_str(&format!("\n## {title}\n\n{meaning}\n"));
        for applied in report.of(family) {
            text.push_str(&entry(applied));
        }
    }
    if !report.asked.is_empty() {
        text.push_str(
            "\n## Open questions\n\nThe provider's reference leaves these questions open. None of them changes the document.\n",
        );
    }
    report
        .asked
        .iter()
        .map(question)
        .fold(text, |all, one| all + &one)
}

fn question(asked: &Asked) -> String {
    let one = &asked.by;
    let mut text = format!(
        "\n### {question}\n\n\
         - Id: `{id}`, section {reference} of the provider's reference\n\
         - Published: {published}\n\
         - Meanwhile: {meanwhile}\n",
        question = one_line(&one.question),
        id = one.id,
        reference = one_line(&one.reference),
        published = one_line(&one.published),
        meanwhile = one_line(&one.meanwhile),
    );
    if !one.about.is_empty() {
        text.push_str("- Places:\n");
    }
    for (target, _) in &one.about {
        let gone = if asked.gone.contains(target) {
            " (the document no longer has it)"
        } else {
            ""
        };
        text.push_str(&format!("  - `{target}`{gone}\n"));
    }
    text
}

fn entry(applied: &Applied) -> String {
    let about = &applied.by.about;
    let places: String = applied
        .changes
        .iter()
        .map(|change| {
            let kind = match change.kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Removed => "removed",
            };
            format!("  - {kind} `{}`\n", change.pointer)
        })
        .collect();
    format!(
        "\n### {title}\n\n\
         - Id: `{id}`, section {reference} of the provider's reference\n\
         - Published: {published}\n\
         - {label}: {observed}\n\
         - Retired when: {retire}\n\
         - Places:\n{places}",
        title = applied.by.overlay.title.trim(),
        id = applied.by.id,
        reference = about.reference.trim(),
        published = one_line(&about.published),
        label = match applied.by.family {
            Family::Upstream => "Observed",
            Family::Assumed => "Assumed",
            Family::Generator => "Reason",
        },
        observed = one_line(&about.observed),
        retire = one_line(&about.retire_when),
    )
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
