//! The comparison as a command: arguments in, a report out.

mod arguments;
mod log;
mod options;
mod run;

pub use arguments::Shown;
pub use log::{Log, log};
pub use options::{Format, Options};
pub use run::{Pair, alone, read, refuse, run};
