//! Texts inside of XML and HTML, and places as other programs name them.

use openapi_document::readable::printable;

use super::attribution::{Entry, Report};
use crate::verdicts::Place;

/// A text as the content of an element, or the value of an attribute in double quotes. What XML cannot hold becomes a space.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c => out.push(printable(c)),
        }
    }
    out
}

/// Where a change is shown: in the new document, or what is gone in the old one. The file is without its revision.
pub(super) fn shown<'r>(report: &'r Report, entry: &'r Entry) -> Option<(&'r str, &'r Place)> {
    let change = &entry.change;
    let [old, new] = &report.files;
    let new = change.new.as_ref().map(|place| (new, place));
    let (file, place) = new.or_else(|| change.old.as_ref().map(|place| (old, place)))?;
    Some((place.file.as_deref().unwrap_or(file), place))
}

/// A file as other programs know it: without its revision.
pub(super) fn file<'r>(report: &'r Report, name: &'r str) -> &'r str {
    let [old, new] = &report.files;
    match name {
        name if name == report.new => new,
        name if name == report.old => old,
        name => name,
    }
}
