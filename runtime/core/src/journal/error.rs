//! Why a journal cannot be used.

use std::{fmt, io};

/// Why a journal cannot be used.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be opened or read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another run has the file open.
    #[error("{path}: another run is writing it; two would pay twice")]
    Locked {
        /// The file.
        path: String,
    },
    /// The file is not a journal, or a line of it was changed. It is left unchanged.
    #[error(
        "{path}, line {line}: {problem}. This is not the journal of a run, or it was changed: restore it, or name another file for a run that pays again"
    )]
    NotAJournal {
        /// The file.
        path: String,
        /// The line, from 1 on.
        line: u64,
        /// The problem with the line.
        problem: String,
    },
    /// The journal has the form of another version of this crate.
    #[error(
        "{path}: another version of this program has written the journal. Go on with that version, or name another file for a new run"
    )]
    Version {
        /// The file.
        path: String,
    },
    /// The journal is of another run.
    #[error(
        "{path}: this is the journal of another run: {difference}. Use the same arguments, or name another file"
    )]
    OtherRun {
        /// The file.
        path: String,
        /// The first difference.
        difference: String,
    },
    /// A line cannot be written. No later one is.
    #[error("{path}: the journal cannot be written: {problem}")]
    Unwritable {
        /// The file.
        path: String,
        /// The error of the operating system, or why the line cannot follow the earlier ones.
        problem: String,
    },
    /// The client does not use the journal's budget: the next run would not know the cost of its calls.
    #[error(
        "the client needs the budget of the journal: give `journal.budget(limit)` to its builder"
    )]
    NoBudget,
    /// A call of this input may have been billed, and nothing of it is kept. [`Called::AtRisk`](super::Called::AtRisk) stands for it.
    #[doc(hidden)]
    #[error("an earlier call for `{input}` may have been billed, and returned nothing")]
    AtRisk {
        /// The input.
        input: String,
    },
    /// A paid response could not be kept. It is in the journal: the next run keeps it without another call.
    #[error("{key}: the response could not be kept")]
    Keep {
        /// The key of the call.
        key: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Formats the error for people, as `main` prints it.
impl fmt::Debug for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        match self {
            Self::Keep { source, .. } => write!(f, ": {source}"),
            _ => Ok(()),
        }
    }
}
