//! `cargo xtask diff`: what a new document means, for any two documents, or for the published one since the last commit.

mod arguments;
mod options;
mod run;
mod sides;

pub use arguments::Arguments;
pub use options::{Format, Options};
pub use run::diff;
