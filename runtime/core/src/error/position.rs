//! Where a run through pages stands, as text that outlives the program.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::document::api::Operation;

/// Where a run through pages stands: a new run goes on from there, in this program or in a later one.
///
/// [`Items::position`](crate::paging::Items::position), [`Pages::position`](crate::paging::Pages::position) and
/// [`Error::position`](crate::Error::position) return it, and `resume` of a stream takes it. It is text of JSON for any store, by
/// `to_string` and `parse`, and it is serialised by serde. The text holds the cursor or the link of the service without credentials;
/// `Debug` shows neither.
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
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    version: u8,
    operation: String,
    pub(crate) page: Place,
    /// How many records of the page were delivered.
    pub(crate) skip: u64,
    /// How many records came before the page.
    pub(crate) records: u64,
}

/// Where a page is.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Place {
    /// Where the arguments of the call say.
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

    /// Returns how many records of its page were delivered: a new run asks for that page again. Zero where pages
    /// are asked for by offsets, because a page may begin anywhere.
    #[must_use]
    pub fn delivered_of_page(&self) -> u64 {
        self.skip
    }

    /// The number of records so far, or the offset.
    pub(crate) fn reached(&self) -> u64 {
        self.offset()
            .unwrap_or_else(|| self.records.saturating_add(self.skip))
    }

    /// The same page after so many records in all.
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

    /// The offset of a run that asks by offsets.
    pub(crate) fn offset(&self) -> Option<u64> {
        match self.page {
            Place::Offset(offset) => Some(offset),
            _ => None,
        }
    }

    /// Whether it is one of an operation, in a form that is known here.
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

/// Without cursors and links, which may say whom the caller looks at.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("operation", &self.operation)
            .field("page", &self.page)
            .field("skip", &self.skip)
            .field("records", &self.records)
            .finish()
    }
}

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
