//! The only place that writes files: a generated tree, one file of a person's, or several files that change together.

mod together;
mod tree;

pub use together::{Changes, change, recover};
pub use tree::{State, compare, install, write_file};
