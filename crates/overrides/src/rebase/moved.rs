//! Result of a rebase.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::load::{Override, OverrideSet};

impl Rebase {
    /// Returns the content of an evidence file with the new name of its schema; `None` if it stays.
    pub fn evidence(&self, text: &str) -> Option<String> {
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        let schema = value.get("schema")?.as_str()?;
        let (old, new) = self.names.iter().find(|(old, _)| old == schema)?;
        let (old, new) = (format!("{old:?}"), format!("{new:?}"));
        let (before, after) = text.split_once("\"schema\"")?;
        let after = after.replacen(&old, &new, 1);
        Some(format!("{before}\"schema\"{after}"))
    }
}

/// An override that was rewritten.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Follow {
    /// Identifier of the override.
    pub id: String,
    /// Targets that changed, before and after.
    pub targets: Vec<(String, String)>,
}

/// An override that goes.
#[derive(Clone, Debug)]
pub struct Retired {
    /// The override.
    pub by: Override,
    /// The reason.
    pub reason: Reason,
}

/// Why an override goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The document has all of its changes.
    Said,
    /// The document has none of its places.
    Lacking,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Said => "the document now says it",
            Self::Lacking => "the document no longer has or uses what it is about",
        })
    }
}

/// Why moves are only likely. A person decides on all moves of a kind at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likely {
    /// A schema or a path has another name, and little shows which one.
    Match,
    /// An override would apply to more places than before.
    Shared,
    /// The document has what an override adds, in another form.
    Said,
    /// The document leaves out a bound, a format or a default.
    Less,
    /// A guarded place has other words.
    Words,
}

impl fmt::Display for Likely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Match => "a schema or a path has another name",
            Self::Shared => "a schema is that of further places, and the override would apply to them too",
            Self::Said => "the document has itself now what the override adds, in another form, and the crate follows it",
            Self::Less => "the document leaves out a bound, a format or a default, and the override keeps it",
            Self::Words => "the guarded words are others",
        })
    }
}

/// A reason why a move is likely, but not certain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Doubt {
    pub(super) kind: Likely,
    pub(super) text: String,
}

impl Doubt {
    /// A match of two schemas or paths that is only likely.
    pub(super) fn of_match(text: &str) -> Self {
        Self {
            kind: Likely::Match,
            text: text.to_owned(),
        }
    }
}

/// A move that is likely, but not certain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proposal {
    /// The kind of the reason.
    pub kind: Likely,
    /// The reason why it is only likely.
    pub reason: String,
    /// Files of the overrides that would follow.
    pub files: Vec<String>,
}

/// A reason why an override does not follow, which a person decides on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Identifier of the override.
    pub id: String,
    /// Reason.
    pub reason: String,
}

/// Locations of responses that were never null, and are nullable in the new document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nulls {
    /// The locations, as pointers into the old document.
    pub places: Vec<String>,
    /// Number of locations of the old document that were never null.
    pub known: usize,
    /// True if they are more than half of those, which is probably caused by the tool that writes the document.
    pub is_likely: bool,
    /// True if an override keeps them as they were; otherwise the crate follows the document.
    pub is_kept: bool,
}

/// Overrides moved from one document to another.
#[derive(Clone, Debug, Default)]
pub struct Rebase {
    /// Overrides in the terms of the new document, as far as they could be moved.
    pub set: OverrideSet,
    /// Overrides that go. They are not in the set.
    pub retired: Vec<Retired>,
    /// Changed files, by path.
    pub files: Vec<(String, String)>,
    /// Overrides that were rewritten.
    pub follows: Vec<Follow>,
    /// Likely moves. Empty if they were accepted.
    pub proposals: Vec<Proposal>,
    /// Likely moves that were accepted.
    pub accepted: Vec<Proposal>,
    /// Decisions for a person.
    pub decisions: Vec<Decision>,
    /// What the new document lacks, and the overrides that had places there, among others.
    pub lacking: BTreeMap<String, BTreeSet<String>>,
    /// Old and new names of renamed schema components; for an inlined one, its pointer.
    pub names: Vec<(String, String)>,
    /// Locations that are nullable only in the new document.
    pub nulls: Nulls,
    /// Names of types, methods, path parameters and properties that callers or stored responses have, and that the new document lacks.
    pub kept: Vec<String>,
}

/// The number of names that a line of the screen lists.
pub(super) const LISTED: usize = 6;
