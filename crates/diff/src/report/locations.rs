//! Locations as other programs name them.

use super::attribution::{Entry, Report};
use crate::verdicts::Place;

/// Returns the location of a change: in the new document, or in the old one if it was removed. The file is without its revision.
pub(super) fn shown<'r>(report: &'r Report, entry: &'r Entry) -> Option<(&'r str, &'r Place)> {
    let change = &entry.change;
    let [old, new] = &report.files;
    let new = change.new.as_ref().map(|place| (new, place));
    let (file, place) = new.or_else(|| change.old.as_ref().map(|place| (old, place)))?;
    Some((place.file.as_deref().unwrap_or(file), place))
}

/// Returns the name of a file without its revision.
pub(super) fn file<'r>(report: &'r Report, name: &'r str) -> &'r str {
    let [old, new] = &report.files;
    match name {
        name if name == report.new => new,
        name if name == report.old => old,
        name => name,
    }
}
