//! What an update does to overrides, as a person reads it: causes, and which overrides follow each.

use std::fmt;

use openapi_overrides::{Override, OverrideSet};

/// Why overrides are written in another way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Paths have another prefix.
    Prefix {
        /// The prefix in the old document.
        old: String,
        /// The prefix in the new one.
        new: String,
    },
    /// Paths end with a slash now, or no longer.
    Slash {
        /// Whether they do now.
        ends: bool,
    },
    /// One path has another text.
    Path {
        /// The path in the old document.
        old: String,
        /// The path in the new one.
        new: String,
    },
    /// A component has another name.
    Renamed {
        /// Its kind, as `schemas`.
        kind: String,
        /// Its name in the old document.
        old: String,
        /// Its name in the new one.
        new: String,
    },
    /// A component is written out wherever it was referred to.
    WrittenOut {
        /// Its kind.
        kind: String,
        /// Its name.
        name: String,
    },
    /// What was written out is a component.
    Extracted {
        /// The kind of the component.
        kind: String,
        /// Its name.
        name: String,
    },
    /// A property that overrides require has another name.
    Property {
        /// Its name in the old document.
        old: String,
        /// Its name in the new one.
        new: String,
    },
    /// An operation has another id.
    Id {
        /// The id in the old document.
        old: String,
        /// The id in the new one.
        new: String,
    },
    /// The same schemas are written in another way, as null and references are in another dialect.
    Respelled,
    /// Guards have the text of the new document, which means the same.
    Guard,
    /// The document says now what the override wants there, and not yet all of it.
    Agreed,
    /// What the override removes is gone already.
    Done,
}

impl Rebase {
    /// The text of an evidence file with the name that its schema has now; `None` where it stays.
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
                write!(
                    f,
                    "the property `{old}` is gone, and `{new}` has its schema"
                )
            }
            Self::Id { old, new } => write!(f, "the operation `{old}` has the id `{new}` now"),
            Self::Respelled => write!(
                f,
                "schemas are wrapped in another way, with the same meaning"
            ),
            Self::Guard => write!(
                f,
                "guarded places are worded or ordered in another way, with the same meaning"
            ),
            Self::Agreed => write!(f, "the document says a part of it now"),
            Self::Done => write!(f, "the document no longer has what an action removes"),
        }
    }
}

/// One override that follows one cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Follow {
    /// What it follows.
    pub cause: Cause,
    /// The id of the override, or of the open question.
    pub id: String,
    /// Whether it is an open question.
    pub is_question: bool,
    /// Targets before and after, where the cause is about a target.
    pub targets: Vec<(String, String)>,
}

/// A move that is likely, and not certain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proposal {
    /// Why it is only likely.
    pub reason: String,
    /// The ids of the overrides that would follow.
    pub ids: Vec<String>,
}

/// A place that a person has to decide about: what the document said, what it says, and what the override wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Why.
    pub reason: String,
    /// The id of the override.
    pub id: String,
    /// The target as it is written in the override.
    pub target: String,
    /// The place, as a pointer into the old document.
    pub place: String,
    /// The fragment of the old document; `None` where it has none.
    pub old: Option<String>,
    /// The fragment of the new document.
    pub new: Option<String>,
    /// What the override says.
    pub wanted: String,
}

/// Statements of one kind that the new document lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsaid {
    /// Schemas and operations as pointers into the old document; parameters and what callers know by their names.
    pub places: Vec<String>,
    /// The places of those that no override can keep by itself.
    pub lost: Vec<String>,
    /// Where the new document says otherwise, and the crate follows it.
    pub followed: Vec<String>,
    /// How many places of the old document made the statement, where the number matters.
    pub known: usize,
    /// Whether they are more than half of those, which is likely to be the tool that writes the document.
    pub is_likely: bool,
    /// The override that keeps them as they were; `None` where the crate follows the document.
    pub kept_by: Option<String>,
}

/// Overrides moved from one document to another.
#[derive(Clone, Debug, Default)]
pub struct Rebase {
    /// The overrides and questions in the terms of the new document, as far as they could be moved.
    pub set: OverrideSet,
    /// The overrides that have nothing left to do, since the document says all of it. They are not in the set.
    pub superfluous: Vec<Override>,
    /// The files that have another text, by their paths.
    pub files: Vec<(String, String)>,
    /// Which overrides follow what.
    pub follows: Vec<Follow>,
    /// What is likely only. Empty where it was accepted.
    pub proposals: Vec<Proposal>,
    /// What was likely only and was accepted.
    pub accepted: Vec<Proposal>,
    /// What a person has to decide.
    pub decisions: Vec<Decision>,
    /// What a person may want to know. It stops nothing.
    pub notes: Vec<String>,
    /// The ids of the open questions about places that differ, words included.
    pub touched: Vec<String>,
    /// Names of schema components before and after, for those that changed; the pointer of one that is written out.
    pub names: Vec<(String, String)>,
    /// Places of responses that were never null, and that the new document allows null at.
    pub nulls: Unsaid,
    /// Parameters that the new document says less of: of their style, their bounds or their defaults.
    pub silent: Unsaid,
    /// Schemas that the new document leaves empty.
    pub emptied: Unsaid,
    /// Operations that needed credentials, and that the new document lets anybody call, too.
    pub open: Unsaid,
    /// Names of types, methods and path parameters that callers know and the new document does not have.
    pub kept: Unsaid,
}
