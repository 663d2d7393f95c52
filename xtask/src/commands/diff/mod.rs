//! `cargo xtask diff`: what a new document means, for any two documents, or for the published one since the last commit.

mod arguments;
mod log;
mod options;
mod run;
mod sides;

pub use arguments::{Arguments, Shown};
pub use log::{Log, log};
pub use options::{Format, Options};
pub use run::{alone, diff};
