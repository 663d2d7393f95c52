//! How a run ends, for people and for scripts.

use std::fmt;
use std::io;

use crate::error::Error;

/// Why a run ends early. Each has an exit code.
#[derive(Debug)]
pub(super) enum Ended {
    /// A call failed, or some of a list did.
    Failed(String),
    /// Wrong usage: nothing was sent.
    Usage(String),
    /// The budget is used up.
    Budget(String),
    /// What came could not be written.
    Output(String),
    /// A signal, or a reader that went away.
    Stopped(String),
}

impl Ended {
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Budget(_) => 3,
            Self::Output(_) => 4,
            Self::Stopped(_) => 130,
        }
    }

    /// Whether there is no sense in making another call.
    pub(super) fn is_final(&self) -> bool {
        !matches!(self, Self::Failed(_))
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// What `path` could not be used for.
    pub(super) fn file(path: &str, error: &io::Error) -> Self {
        Self::Usage(format!("{path}: {error}"))
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => {
                Self::Stopped("whoever read the output went away".to_owned())
            }
            _ => Self::Output(format!("the output cannot be written: {error}")),
        }
    }
}

impl From<&Error> for Ended {
    fn from(error: &Error) -> Self {
        let message = format!("{error:?}");
        match error.of_call() {
            Error::Budget(_) => Self::Budget(message),
            Error::Configuration(_) | Error::Argument(_) | Error::Credential(_) => {
                Self::Usage(message)
            }
            _ => Self::Failed(message),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message)
            | Self::Usage(message)
            | Self::Budget(message)
            | Self::Output(message)
            | Self::Stopped(message) => f.write_str(message),
        }
    }
}

/// For the end of `--help`.
pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0    all done
  1    a call failed; of a list, at least one
  2    wrong usage: nothing was sent
  3    the budget is used up
  4    the output could not be written
  130  interrupted, also by a reader that went away";
