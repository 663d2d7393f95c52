//! The position of a paging run, as a string that outlives the program.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::document::api::Operation;

/// The position of a paging run: a new run continues from it, in this program or a later one.
///
/// [`Items::position`](crate::paging::Items::position), [`Pages::position`](crate::paging::Pages::position) and
/// [`Error::position`](crate::Error::position) return it, and `resume` of a stream accepts it. To store it, use `to_string` and `parse`
/// (JSON), or serde. The string contains the cursor or link of the service without credentials; `Debug` shows neither.
///
/// ```
/// use generated_client::paging::Position;
///
/// let stored = r#"{"version":1,"operation":"listThings","page":{"offset":30},"skip":0,"records":30}"#;
/// let position: Position = stored.parse()?;
/// assert_eq!(position.to_string(), stored);
/// assert_eq!(position.delivered_of_page(), 0);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    version: u8,
    operation: String,
    pub(crate) page: Place,
    /// The number of delivered records of the page.
    pub(crate) skip: u64,
    /// The number of records before the page.
    pub(crate) records: u64,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Place {
    /// Defined by the arguments of the call.
    First,
    Offset(u64),
    Number(u64),
    Cursor(String),
    /// Path and query at the origin of the client.
    Link(String),
}

impl Position {
    pub(crate) fn new(operation: &Operation, page: Place, skip: u64, records: u64) -> Self {
        Self {
            version: 1,
            operation: operation.id.to_owned(),
            page,
            skip,
            records,
        }
    }

    /// Returns the number of delivered records of its page: a new run requests that page again. Zero if paging uses offsets, because a page
    /// may begin anywhere.
    #[must_use]
    pub fn delivered_of_page(&self) -> u64 {
        self.skip
    }

    /// Returns the number of records so far, or the offset.
    pub(crate) fn reached(&self) -> u64 {
        self.offset()
            .unwrap_or_else(|| self.records.saturating_add(self.skip))
    }

    /// Returns the same page with another number of records before it.
    pub(crate) fn at(mut self, records: u64) -> Self {
        match &mut self.page {
            Place::Offset(offset) => {
                *offset = records;
                self.records = records;
            }
            _ => self.skip = records.saturating_sub(self.records),
        }
        self
    }

    pub(crate) fn offset(&self) -> Option<u64> {
        match self.page {
            Place::Offset(offset) => Some(offset),
            _ => None,
        }
    }

    /// Returns whether it is a position of this operation in a known version.
    pub(crate) fn is_of(&self, operation: &Operation) -> bool {
        self.version == 1 && self.operation == operation.id
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for Position {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(text)
    }
}

/// Leaves out cursors and links, which may identify people or companies.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("First"),
            Self::Offset(offset) => write!(f, "Offset({offset})"),
            Self::Number(number) => write!(f, "Number({number})"),
            Self::Cursor(_) => f.write_str("Cursor"),
            Self::Link(_) => f.write_str("Link"),
        }
    }
}
