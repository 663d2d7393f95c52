//! The comparison as a command: takes arguments, prints a report.

mod arguments;
mod options;
mod run;

pub use arguments::Shown;
pub use options::{Format, Options};
pub use run::{alone, read, refuse, run};
