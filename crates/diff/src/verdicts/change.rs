//! One difference between two documents, as reported.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use super::operations::Reached;
use super::rules::Rule;
use super::wire::Wire;

/// Direction of the changed value, seen from the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Not part of a message: the value is documentation, or no operation uses it.
    None,
    /// The client sends it.
    Request,
    /// The client receives it.
    Response,
    /// Both.
    Both,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Request => "request",
            Self::Response => "response",
            Self::Both => "both",
        })
    }
}

/// Location of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// File, if the document has several and this is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// JSON Pointer; other files are below `/x-bundled-files`, by their path from the folder of the first.
    pub pointer: String,
    /// Pointer of the schema, parameter or other object that contains the location; the location itself or an ancestor.
    #[serde(skip)]
    pub subject: String,
    /// Line in the file, from 1; that of the nearest ancestor if the file lacks the location. 0 if it has none of them.
    pub line: usize,
    /// Column in characters, from 1, or 0.
    pub column: usize,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Change {
    /// Rule of the change.
    pub rule: &'static Rule,
    /// Component or operation that the change belongs to, as `schema Book` or `GET /books`.
    pub owner: String,
    /// Operations whose messages the change reaches.
    pub operations: Reached,
    /// Direction of the value.
    pub direction: Direction,
    /// Verdict: the worst of its directions.
    pub wire: Wire,
    /// Location in the old document, unless the value was added.
    pub old: Option<Place>,
    /// Location in the new document, unless the value was removed.
    pub new: Option<Place>,
    /// Description of the change, without its location.
    pub what: String,
    /// One sentence, with both values.
    pub message: String,
}

impl Change {
    /// Compares two changes in report order: the worst first, then by owner, location and rule.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        (other.wire.cmp(&self.wire))
            .then_with(|| self.owner.cmp(&other.owner))
            .then_with(|| self.pointer().cmp(&other.pointer()))
            .then_with(|| self.rule.id.cmp(other.rule.id))
    }

    fn pointer(&self) -> Option<&str> {
        let place = self.new.as_ref().or(self.old.as_ref())?;
        Some(&place.pointer)
    }
}
