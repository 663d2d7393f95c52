//! Documents as text, as JSON values and as places, and what is wrong with them.
//!
//! [`source`] reads YAML and JSON files. [`given`] finds the document that a person names. [`finding`] says what is wrong, where, and what to
//! do next; [`exit()`] turns that into the exit code of a command.

mod exit;
pub mod finding;
pub mod git;
pub mod given;
pub mod keywords;
pub mod pointer;
pub mod program;
pub mod readable;
pub mod resolver;
pub mod source;

pub use exit::{exit, renderer};
