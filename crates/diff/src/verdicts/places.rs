//! Converts addresses of values to pointers and lines; only for reported ones, in one walk of each document.

use std::collections::{HashMap, HashSet};

use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::Value;

use super::change::Place;
use super::mark::{Mark, address};

/// Reported locations of one document.
pub(crate) struct Places<'d> {
    source: &'d Source,
    pointers: HashMap<usize, String>,
}

impl<'d> Places<'d> {
    pub(crate) fn of(source: &'d Source, marks: impl Iterator<Item = Mark<'d>>) -> Self {
        let wanted: HashSet<usize> = marks
            .flat_map(|mark| [mark.value, mark.home])
            .flatten()
            .map(address)
            .collect();
        Self {
            source,
            pointers: pointers(&source.value, &wanted),
        }
    }

    /// Returns the location of a value, if the document contains it.
    pub(crate) fn pointer(&self, value: &Value) -> Option<&str> {
        self.pointers.get(&address(value)).map(String::as_str)
    }

    /// Returns the location of the changed value, or of the object that lacks it.
    pub(crate) fn place(&self, mark: Mark<'_>) -> Option<Place> {
        let at = self.pointer(mark.value.or(mark.home)?)?;
        let subject = mark.home.and_then(|home| self.pointer(home)).unwrap_or(at);
        let (line, column) = self.source.position(at).unwrap_or_default();
        Some(Place {
            file: self.source.file_of(at).map(str::to_owned),
            pointer: at.to_owned(),
            subject: subject.to_owned(),
            line,
            column,
        })
    }
}

/// Returns the pointers of values by address.
pub(crate) fn pointers(root: &Value, wanted: &HashSet<usize>) -> HashMap<usize, String> {
    let mut found = HashMap::new();
    if !wanted.is_empty() {
        pointer::walk(root, "", &mut |at, value| {
            if wanted.contains(&address(value)) {
                found.insert(address(value), at.to_owned());
            }
        });
    }
    found
}
