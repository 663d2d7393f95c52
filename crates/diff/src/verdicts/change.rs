//! One difference between two documents, as it is reported.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use super::operations::Reached;
use super::rules::Rule;
use super::wire::Wire;

/// Which way the changed value travels, seen from the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// In no message: it is documentation, or no operation uses it.
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

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, where the document has several and it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// JSON Pointer; another file stands below `/x-bundled-files` with its path from the folder of the first.
    pub pointer: String,
    /// Pointer of the schema, parameter or other object that the place belongs to; the place itself or above it.
    #[serde(skip)]
    pub subject: String,
    /// Line in the text, from 1; of the nearest place above where the text does not have it. 0 when the text has none of it.
    pub line: usize,
    /// Column in characters, from 1, or 0.
    pub column: usize,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Change {
    /// What kind of change it is.
    pub rule: &'static Rule,
    /// What the change is known by in later runs: the same for the same rule, direction and place, whatever else changed.
    pub fingerprint: String,
    /// The component or operation that it belongs to, as `schema Book` or `GET /books`.
    pub owner: String,
    /// The operations whose messages it reaches.
    pub operations: Reached,
    /// Which way the value travels.
    pub direction: Direction,
    /// What it does: the worst of its directions.
    pub wire: Wire,
    /// The place in the old document, unless the thing is new.
    pub old: Option<Place>,
    /// The place in the new document, unless the thing is gone.
    pub new: Option<Place>,
    /// What changed, without its place.
    pub what: String,
    /// One sentence, with both values.
    pub message: String,
}

impl Change {
    /// The order of a report: the worst first, then by owner, place and rule.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let at = |change: &Self| {
            let place = change.new.as_ref().or(change.old.as_ref());
            place.map(|place| place.pointer.clone())
        };
        (other.wire.cmp(&self.wire))
            .then_with(|| self.owner.cmp(&other.owner))
            .then_with(|| at(self).cmp(&at(other)))
            .then_with(|| self.rule.id.cmp(other.rule.id))
    }
}
