//! What has become of an override: does the document still need it, and is it still what it was written against?

use std::fmt;

/// The state of an override against a document. Only `Applied` passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It changes what it was written against.
    Applied,
    /// The document already says what it wants.
    Retired,
    /// Another file writes the same place differently.
    Conflicting,
    /// The document says something else than it was written against.
    Drifted,
    /// A place that it writes is gone.
    Orphaned,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Applied => "applied",
            Self::Retired => "retired",
            Self::Conflicting => "conflicting",
            Self::Drifted => "drifted",
            Self::Orphaned => "orphaned",
        })
    }
}
