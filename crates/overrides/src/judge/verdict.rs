//! The state of an override: whether the document still needs it, and whether its place is still what the override was written against.

use std::fmt;

/// The state of an override against a document. Only `Applied` passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It changes what it was written against.
    Applied,
    /// The document already contains its result.
    Retired,
    /// Another file writes the same place differently.
    Conflicting,
    /// The place in the document has changed since the override was written.
    Outdated,
    /// A place that it writes no longer exists.
    Orphaned,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Applied => "applied",
            Self::Retired => "retired",
            Self::Conflicting => "conflicting",
            Self::Outdated => "outdated",
            Self::Orphaned => "orphaned",
        })
    }
}
