//! Bounds of what actions make of a document: a few that copy what others copied would fill any memory.

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use serde_json::Value;

/// Maximum bytes that the actions of an Overlay may add to a document, as [`Growth`] counts them, and of the pointers of one action's targets.
const MOST: usize = 128 << 20;

/// Maximum depth of a document after an action: no file may be nested deeper.
const DEEPEST: usize = 128;

/// Bytes that are counted for each value beside its strings.
const VALUE: usize = 64;

/// The bytes that the actions of an Overlay may still add to a document: 128 MiB, with 64 bytes for each value and the bytes of its strings, and the
/// bytes of the pointer of each change.
#[derive(Debug)]
pub struct Growth {
    left: usize,
}

impl Default for Growth {
    fn default() -> Self {
        Self { left: MOST }
    }
}

impl Growth {
    /// Counts a value that is inserted at a place, with its key and the pointer of the change.
    ///
    /// # Errors
    ///
    /// The reason why the value is too large or too deep.
    pub(super) fn insert(&mut self, value: &Value, at: &str) -> Result<(), String> {
        let size = size(value, 1);
        if at.matches('/').count() + size.depth > DEEPEST {
            return Err(format!(
                "the document would be nested more than {DEEPEST} deep"
            ));
        }
        let key = at.len() - at.rfind('/').unwrap_or_default();
        if self.take(size.bytes.saturating_add(key + at.len())) {
            return Ok(());
        }
        Err(format!(
            "the actions up to this one add more than {} MiB to the document",
            MOST >> 20
        ))
    }

    /// Counts the pointers of removed places.
    ///
    /// # Errors
    ///
    /// The reason why they are too large.
    pub(super) fn remove(&mut self, targets: &[String]) -> Result<(), String> {
        if self.take(targets.iter().map(String::len).sum()) {
            return Ok(());
        }
        Err(format!(
            "the pointers of what this action removes are too long: with what the actions before it changed, there would be more than {} MiB",
            MOST >> 20
        ))
    }

    /// Counts these bytes. Returns whether there were as many left.
    fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

/// The error for a query whose pointers are too large together to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl TooLarge {
    /// Returns the finding for the query at this place of a file.
    pub fn finding(self, source: &Source, place: String) -> Box<Finding> {
        let message = format!(
            "the pointers of its targets are longer than {} MiB together",
            MOST >> 20
        );
        let help = "select fewer targets, or targets nearer to the root";
        Box::new(source.finding("overlay-size", place, message, help))
    }
}

/// Checks the size of the pointers of a query's nodes, before they are written.
pub(super) fn check_pointers(lengths: impl Iterator<Item = usize>) -> Result<(), TooLarge> {
    if lengths.fold(0_usize, usize::saturating_add) <= MOST {
        Ok(())
    } else {
        Err(TooLarge)
    }
}

struct Size {
    bytes: usize,
    depth: usize,
}

fn size(value: &Value, depth: usize) -> Size {
    let mut sum = Size {
        bytes: VALUE,
        depth,
    };
    let mut add = |key: usize, inner: &Value| {
        let inner = size(inner, depth + 1);
        sum.bytes = sum.bytes.saturating_add(key + inner.bytes);
        sum.depth = sum.depth.max(inner.depth);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| add(key.len(), inner)),
        Value::Array(items) => items.iter().for_each(|inner| add(0, inner)),
        Value::String(text) => sum.bytes += text.len(),
        _ => {}
    }
    sum
}
