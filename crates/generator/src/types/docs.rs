//! Doc comments: descriptions from the document, and their provenance.

use openapi_document::{pointer, readable};
use openapi_model::{Place, names};
use openapi_overlay::ChangeKind;
use openapi_overrides::{Family, OverrideReport};
use serde_json::Value;

/// The module of a generated crate whose documentation is OVERRIDES.md.
pub(crate) const OVERRIDES: &str = "overrides";

/// Doc comment lines as attributes.
pub(crate) fn attributes(lines: &[String]) -> Vec<syn::Attribute> {
    lines
        .iter()
        .map(|line| {
            // A line is one line: `\r` alone does not even compile in a comment.
            let line = readable::line(line);
            let line = if line.is_empty() {
                String::new()
            } else {
                format!(" {line}")
            };
            syn::parse_quote!(#[doc = #line])
        })
        .collect()
}

/// The attribute of an item that needs a feature.
pub(crate) fn condition(feature: Option<&str>) -> Option<syn::Attribute> {
    feature.map(|feature| syn::parse_quote!(#[cfg(feature = #feature)]))
}

/// The attribute of what the provider advises against.
pub(crate) fn deprecated(is_deprecated: bool) -> Option<syn::Attribute> {
    is_deprecated.then(|| syn::parse_quote!(#[deprecated]))
}

/// Returns the description of an item, or its name on the wire if it has none. `wire` is its name in the document. A line that only repeats
/// the name in Rust is left out.
pub(crate) fn unless_repeated(description: Option<&str>, wire: &str, name: &str) -> Vec<String> {
    let on_wire = format!("`{wire}`.");
    let description = description.filter(|text| !text.trim().is_empty());
    let line = description.unwrap_or(&on_wire);
    if names::repeats(line, name) {
        Vec::new()
    } else {
        text(line)
    }
}

/// Returns a description as doc comment lines. Code in it would run as a test: a fence is marked as text, and no line of prose begins code.
pub(crate) fn text(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.trim().lines() {
        let line = readable::line(line);
        let line = line.trim();
        if is_fence(line) {
            fenced = !fenced;
            lines.push(if fenced { "```text" } else { "```" }.to_owned());
        } else if fenced {
            lines.push(line.to_owned());
        } else {
            lines.extend(wrap(line));
        }
    }
    // The following lines are prose again.
    if fenced {
        lines.push("```".to_owned());
    }
    lines
}

/// Returns whether a line is a fence. Backticks that it closes are a span.
pub(crate) fn is_fence(line: &str) -> bool {
    let is_span = line.trim_start_matches('`').contains('`');
    line.starts_with("```") && !is_span || line.starts_with("~~~")
}

/// Returns the lines of [`text`] for an item of a list, where a fence would be code of another kind: its lines become prose.
pub(crate) fn without_fences(lines: Vec<String>) -> Vec<String> {
    let mut fenced = false;
    let mut prose = Vec::new();
    for line in lines {
        if is_fence(&line) {
            fenced = !fenced;
        } else if fenced {
            prose.extend(wrap(&line));
        } else {
            prose.push(line);
        }
    }
    prose
}

/// Breaks a line between words, at the width of a source line, but not within code. Several spaces would indent what follows a `>` or `-`.
fn wrap(line: &str) -> Vec<String> {
    const WIDTH: usize = 110;
    let is_closed = !has_odd_backticks(line);
    let mut is_in_code = false;
    let mut lines = vec![String::new()];
    for word in line.split([' ', '\t']) {
        if word.is_empty() && !is_in_code {
            continue;
        }
        match lines.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if is_in_code || fits(last, word, WIDTH) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
        if is_closed && has_odd_backticks(word) {
            is_in_code = !is_in_code;
        }
    }
    for line in &mut lines {
        if is_fence(line) {
            line.insert(0, '\\');
        }
    }
    lines
}

fn fits(line: &str, word: &str, width: usize) -> bool {
    line.chars().count() + 1 + word.chars().count() <= width
}

fn has_odd_backticks(text: &str) -> bool {
    text.matches('`').count() % 2 == 1
}

/// Paragraphs with empty lines between them.
pub(crate) fn paragraphs(parts: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        if part.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(part);
    }
    lines
}

/// Lists the constraints of a field's or parameter's schema.
pub(crate) fn facts(place: &Place) -> Vec<String> {
    let mut facts = Vec::new();
    match (&place.bounds.minimum, &place.bounds.maximum) {
        (Some(low), Some(high)) => facts.push(format!("Range: {low} to {high}.")),
        (Some(low), None) => facts.push(format!("Minimum: {low}.")),
        (None, Some(high)) => facts.push(format!("Maximum: {high}.")),
        (None, None) => {}
    }
    if let Some(default) = &place.default {
        facts.push(format!("Default: {}.", code(default)));
    }
    if let Some(format) = &place.format {
        facts.push(format!("Published format: `{format}`."));
    }
    if let Some(example) = &place.example {
        facts.push(format!("Example: {}.", code(example)));
    }
    if place.deprecated {
        facts.push("Deprecated by the provider.".to_owned());
    }
    if facts.is_empty() {
        facts
    } else {
        vec![facts.join(" ")]
    }
}

fn code(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    format!("`{}`", text.replace('`', "'"))
}

/// Returns the provenance of a place: a line for each override that changed it. `own` selects the changes of the
/// place itself, without those of parts that have documentation.
pub(crate) fn provenance(
    report: &OverrideReport,
    place: &str,
    own: impl Fn(&str) -> bool,
) -> Vec<Vec<String>> {
    report
        .touching(place)
        .filter(|applied| {
            applied.changes.iter().any(|change| {
                // A removed part is not at the place now.
                let stands = change.kind != ChangeKind::Removed || change.pointer != place;
                let around = change.kind != ChangeKind::Removed
                    && pointer::is_within(place, &change.pointer);
                let inside = pointer::is_within(&change.pointer, place) && own(&change.pointer);
                around || (stands && inside)
            })
        })
        .filter_map(|applied| {
            let heading = match applied.by.family {
                Family::Upstream => "Corrected: ",
                Family::Assumed => "Assumed: ",
                Family::Generator => return None,
            };
            let note = applied.by.about.note.as_deref().map(str::trim);
            let description = match note.filter(|note| !note.is_empty()) {
                Some(note) => note.to_owned(),
                None => format!("{heading}{}", applied.by.overlay.title.trim()),
            };
            let description = description.trim_end_matches('.');
            let link = format!("[why](crate::{OVERRIDES}#{})", applied.by.id);
            Some(text(&format!("*{description} ({link}).*")))
        })
        .collect()
}
