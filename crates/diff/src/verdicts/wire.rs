//! Effect of a change on clients that were written for the old document.

use std::fmt;

use clap::ValueEnum;
use serde::Serialize;

/// Effect of a change on clients that were written for the old document. The greater, the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Nothing changed.
    #[value(skip)]
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
