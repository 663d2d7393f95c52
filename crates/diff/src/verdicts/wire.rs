//! Effect of a change on clients that were written for the old document.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Effect of a change on clients that were written for the old document. The greater, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Nothing changed.
    None,
    /// Clients work as before.
    Safe,
    /// Some clients fail, depending on how they were written.
    Risky,
    /// Any client that relies on the old document fails.
    Breaking,
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Safe => "safe",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        })
    }
}

/// A verdict that a person writes.
#[derive(Clone, Copy, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Breaking,
    Risky,
    Safe,
}

impl From<Level> for Wire {
    fn from(level: Level) -> Self {
        match level {
            Level::Breaking => Self::Breaking,
            Level::Risky => Self::Risky,
            Level::Safe => Self::Safe,
        }
    }
}
