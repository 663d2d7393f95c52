//! OVERRIDES.md: for users of the crate, what it knows better than the published document.

use openapi_document::pointer;
use openapi_overrides::{Applied, Family, OverrideReport};

use super::left_out::one_line;

pub(super) fn emit(report: &OverrideReport) -> String {
    let mut text = String::from(
        "# Differences from the published document\n\n\
         This crate follows the published document, except for these overrides. Assumptions come first: they are the\n\
         least certain. Sections are those of the provider's reference.\n",
    );
    let sections = [
        section(
            "Assumed",
            "The document does not say this, and the client needs a decision. A response without an assumed property is read:\n\
             the field is `None` or empty. Only a type that callers send too refuses such a response.",
            report.of(Family::Assumed).map(difference),
        ),
        section(
            "Corrected",
            "The document says one thing and the service does another.",
            report.of(Family::Upstream).map(difference),
        ),
        section(
            "Added for the generator",
            "The document is right but too brief for good code. Nothing on the wire changes.",
            report.of(Family::Generator).map(supplement),
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

/// A difference from the document: what that says, and what is known or assumed instead.
fn difference(applied: &Applied) -> String {
    let about = &applied.by.about;
    let label = if applied.by.family == Family::Upstream {
        "Observed"
    } else {
        "Assumed"
    };
    format!(
        "{head}- Published: {published}\n- {label}: {observed}\n- Changes: {places}\n",
        head = head(applied),
        published = one_line(&about.published),
        observed = one_line(&about.observed),
        places = places(applied),
    )
}

/// Returns the entry of an override of the family `generator`, with its reason.
fn supplement(applied: &Applied) -> String {
    let reason = one_line(&applied.by.about.observed);
    format!("{}- Reason: {reason}\n", head(applied))
}

/// The heading and the source of an entry. Documentation links to the id.
fn head(applied: &Applied) -> String {
    let id = &applied.by.id;
    format!(
        "\n### <a id=\"{id}\"></a>{title}\n\n- Id: `{id}`, {reference}\n",
        title = one_line(&applied.by.overlay.title),
        reference = known_from(&applied.by.about.reference),
    )
}

/// Names the properties, schemas and operations that an override changed, each once.
fn places(applied: &Applied) -> String {
    let mut names: Vec<String> = Vec::new();
    for change in &applied.changes {
        let name = format!("`{}`", place(&change.pointer).replace('`', "'"));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// Names what a place of the document is in: `Zoo.size`, `GET /zoos/{id}`.
fn place(pointer: &str) -> String {
    let tokens: Vec<String> = pointer::tokens(pointer).collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    match tokens.as_slice() {
        ["components", "schemas", schema, "properties", property, ..] => {
            format!("{schema}.{property}")
        }
        ["components", "schemas", schema, ..] => (*schema).to_owned(),
        ["paths", path, method, ..] => format!("{} {path}", method.to_uppercase()),
        ["paths", path] => (*path).to_owned(),
        _ => pointer.to_owned(),
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
    use super::{known_from, place};

    #[test]
    fn a_place_is_named_by_its_property_its_schema_or_its_operation() {
        let named = [
            ("/components/schemas/Zoo/properties/size/type", "Zoo.size"),
            ("/components/schemas/Zoo/required", "Zoo"),
            ("/paths/~1zoos~1{id}/get/parameters/0", "GET /zoos/{id}"),
            ("/paths/~1zoos", "/zoos"),
            ("/info/x-rust-package", "/info/x-rust-package"),
        ];
        for (pointer, name) in named {
            assert_eq!(place(pointer), name);
        }
    }

    #[test]
    fn a_fact_that_no_section_says_names_its_source() {
        assert_eq!(known_from(" 2.1,\n 4"), "section 2.1, 4");
        let earlier = "the document of version 1.0.0";
        assert_eq!(known_from(earlier), format!("from {earlier}"));
    }
}
