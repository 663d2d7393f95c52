//! OVERRIDES.md: for users of the crate, what it knows better than the published document.

use openapi_overlay::ChangeKind;
use openapi_overrides::{Applied, Family, OverrideReport};

use super::left_out::one_line;

pub(super) fn emit(report: &OverrideReport) -> String {
    let mut text = String::from(
        "# Differences from the published document\n\n\
         This crate follows the published document, except for the overrides listed here. Assumptions come first:\n\
         they are the least certain. Sections are those of the provider's reference.\n",
    );
    let sections = [
        section(
            "Assumed",
            "The document does not say this, and the client needs a decision. No response is refused for it,\n\
             unless callers send its type too: a property that is only assumed to be there is `None` or empty where it is missing.",
            report.of(Family::Assumed).map(entry),
        ),
        section(
            "Corrected",
            "The document says one thing and the service does another.",
            report.of(Family::Upstream).map(entry),
        ),
        section(
            "Added for the generator",
            "The document is right but too brief for good code. Nothing on the wire changes.",
            report.of(Family::Generator).map(entry),
        ),
    ];
    text.push_str(&sections.concat());
    text
}

/// Entries below a heading; empty without any.
fn section(title: &str, meaning: &str, entries: impl Iterator<Item = String>) -> String {
    let entries: String = entries.collect();
    if entries.is_empty() {
        String::new()
    } else {
        format!("\n## {title}\n\n{meaning}\n{entries}")
    }
}

/// The heading of an entry. Documentation links to the id.
fn heading(id: &str, title: &str) -> String {
    format!("\n### <a id=\"{id}\"></a>{title}\n\n")
}

fn entry(applied: &Applied) -> String {
    let about = &applied.by.about;
    let places = [
        places(applied, ChangeKind::Added, "Added"),
        places(applied, ChangeKind::Changed, "Changed"),
        places(applied, ChangeKind::Removed, "Removed"),
    ];
    let places = places.concat();
    let heading = heading(&applied.by.id, &one_line(&applied.by.overlay.title));
    format!(
        "{heading}- Id: `{id}`, {reference}\n\
         - Published: {published}\n\
         - {label}: {observed}\n{places}",
        id = applied.by.id,
        reference = known_from(&about.reference),
        published = one_line(&about.published),
        label = match applied.by.family {
            Family::Upstream => "Observed",
            Family::Assumed => "Assumed",
            Family::Generator => "Reason",
        },
        observed = one_line(&about.observed),
    )
}

/// The places that an override changed in one way; empty without any.
fn places(applied: &Applied, kind: ChangeKind, label: &str) -> String {
    let changes = applied.changes.iter().filter(|change| change.kind == kind);
    let places: String = changes
        .map(|change| format!("  - `{}`\n", change.pointer.replace('`', "'")))
        .collect();
    if places.is_empty() {
        places
    } else {
        format!("- {label}:\n{places}")
    }
}

/// Where a fact is from: sections are numbers.
fn known_from(reference: &str) -> String {
    let reference = one_line(reference);
    if reference.starts_with(|first: char| first.is_ascii_digit()) {
        format!("section {reference}")
    } else {
        format!("from {reference}")
    }
}

#[cfg(test)]
mod tests {
    use super::known_from;

    #[test]
    fn a_fact_that_no_section_says_names_its_source() {
        assert_eq!(known_from(" 2.1,\n 4"), "section 2.1, 4");
        let earlier = "the document of version 1.0.0";
        assert_eq!(known_from(earlier), format!("from {earlier}"));
    }
}
