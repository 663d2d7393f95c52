//! OVERRIDES.md: for users of the crate, what it knows better than the published document.

use crate::overlay::ChangeKind;
use crate::overrides::{Applied, Family, OverrideReport};

pub(super) fn emit(report: &OverrideReport) -> String {
    let mut text = String::from(
        "# What differs from the published document\n\n\
         This crate follows the provider's document except where an override says otherwise. Each entry says what is\n\
         published, what is observed or assumed, and which change of the document would retire it.\n",
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
                "The document is silent and a client cannot be. These may be wrong.",
            ),
            Family::Generator => (
                "Added for the generator",
                "The document is right and says too little for good code. Nothing on the wire changes.",
            ),
        };
        text.push_str(&format!("\n## {title}\n\n{meaning}\n"));
        for applied in report.of(family) {
            text.push_str(&entry(applied));
        }
    }
    text
}

fn entry(applied: &Applied) -> String {
    let about = &applied.by.about;
    let places: String = applied
        .changes
        .iter()
        .map(|change| {
            let word = match change.kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Removed => "removed",
            };
            format!("  - {word} `{}`\n", change.pointer)
        })
        .collect();
    format!(
        "\n### {title}\n\n\
         - Id: `{id}`, section {reference} of the provider's reference\n\
         - Published: {published}\n\
         - Observed: {observed}\n\
         - Retired when: {retire}\n\
         - Places:\n{places}",
        title = applied.by.overlay.title.trim(),
        id = applied.by.id,
        reference = about.reference.trim(),
        published = one_line(&about.published),
        observed = one_line(&about.observed),
        retire = one_line(&about.retire_when),
    )
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
