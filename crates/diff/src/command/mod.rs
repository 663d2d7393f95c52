//! The comparison as a command: takes arguments, prints a report.

mod options;
mod run;

pub use options::{Format, Options};
pub use run::{alone, read, refuse, run};
