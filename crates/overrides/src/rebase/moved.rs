//! Result of a rebase as a person reads it: causes, and the overrides that follow each.

use std::fmt;

use crate::load::{Override, OverrideSet};

/// The reason why overrides are rewritten.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Paths have another prefix.
    Prefix {
        /// Prefix in the old document.
        old: String,
        /// Prefix in the new one.
        new: String,
    },
    /// Paths have gained or lost a trailing slash.
    Slash {
        /// True if they have gained it.
        ends: bool,
    },
    /// One path has changed.
    Path {
        /// Path in the old document.
        old: String,
        /// Path in the new one.
        new: String,
    },
    /// A component has another name.
    Renamed {
        /// Kind, such as `schemas`.
        kind: String,
        /// Name in the old document.
        old: String,
        /// Name in the new one.
        new: String,
    },
    /// A component was inlined wherever it was referenced.
    WrittenOut {
        /// Kind of the component.
        kind: String,
        /// Name of the component.
        name: String,
    },
    /// An inline schema was extracted to a component.
    Extracted {
        /// Kind of the component.
        kind: String,
        /// Name of the component.
        name: String,
    },
    /// A property that overrides require was renamed.
    Property {
        /// Name in the old document.
        old: String,
        /// Name in the new one.
        new: String,
    },
    /// The identifier of an operation changed.
    Id {
        /// Identifier in the old document.
        old: String,
        /// Identifier in the new one.
        new: String,
    },
    /// The same schemas are written in another notation, such as null and references in another dialect.
    Respelled,
    /// Guards have the spelling of the new document, and their values are equal.
    Guard,
    /// The document now has a property under a name that an override gave to another one.
    Taken,
    /// The value that the override removes is gone already.
    Done,
}

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

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |kind: &str| kind.strip_suffix('s').unwrap_or(kind).to_owned();
        match self {
            Self::Prefix { old, new } => write!(f, "paths begin with `{new}` instead of `{old}`"),
            Self::Slash { ends: true } => write!(f, "paths end with a slash now"),
            Self::Slash { ends: false } => write!(f, "paths no longer end with a slash"),
            Self::Path { old, new } => write!(f, "the path `{old}` is `{new}` now"),
            Self::Renamed { old, new, .. } => write!(f, "`{old}` is called `{new}` now"),
            Self::WrittenOut { name, .. } => write!(f, "`{name}` is written out where it is used"),
            Self::Extracted { kind, name } => {
                write!(f, "the {} `{name}` holds what was written out", one(kind))
            }
            Self::Property { old, new } => {
                write!(f, "the property `{old}` is called `{new}` now")
            }
            Self::Id { old, new } => write!(f, "the operation `{old}` has the id `{new}` now"),
            Self::Respelled => write!(f, "schemas are wrapped in another way, and are equal"),
            Self::Guard => write!(
                f,
                "guarded values are spelled in another way, and are equal"
            ),
            Self::Taken => write!(f, "an alias is the name of a property now"),
            Self::Done => write!(f, "the document no longer has what an action removes"),
        }
    }
}

/// One override that follows one cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Follow {
    /// The cause.
    pub cause: Cause,
    /// Identifier of the override.
    pub id: String,
    /// Targets before and after, if the cause concerns a target.
    pub targets: Vec<(String, String)>,
}

/// A move that is likely, but not certain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proposal {
    /// The reason why it is only likely.
    pub reason: String,
    /// Identifiers of the overrides that would follow.
    pub ids: Vec<String>,
}

/// A location that needs a decision: its old value, its new value, and the value of the override.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Reason.
    pub reason: String,
    /// Identifier of the override.
    pub id: String,
    /// Target as written in the override.
    pub target: String,
    /// Location, as a pointer into the old document.
    pub place: String,
    /// Value in the old document; `None` if it has none.
    pub old: Option<String>,
    /// Value in the new document.
    pub new: Option<String>,
    /// Value of the override.
    pub wanted: String,
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
    /// Overrides that are no longer needed, because the document has all of their changes. They are not in the set.
    pub superfluous: Vec<Override>,
    /// Changed files, by path.
    pub files: Vec<(String, String)>,
    /// Overrides by cause.
    pub follows: Vec<Follow>,
    /// Likely moves. Empty if they were accepted.
    pub proposals: Vec<Proposal>,
    /// Likely moves that were accepted.
    pub accepted: Vec<Proposal>,
    /// Decisions for a person.
    pub decisions: Vec<Decision>,
    /// Notes, which stop nothing.
    pub notes: Vec<String>,
    /// Old and new names of renamed schema components; for an inlined one, its pointer.
    pub names: Vec<(String, String)>,
    /// Locations that are nullable only in the new document.
    pub nulls: Nulls,
    /// Names of types, methods, path parameters and properties that callers or stored responses have, and that the new document lacks.
    pub kept: Vec<String>,
}
