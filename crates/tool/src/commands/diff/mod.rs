//! `cargo xtask diff`: what a new document means, for any two documents, or for the published one since the last commit.

mod arguments;
mod run;
mod sides;

pub use arguments::Arguments;
pub use run::diff;
