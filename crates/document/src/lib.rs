//! Documents as text, JSON values and locations, and the problems found in them.
//!
//! [`source`] reads YAML and JSON files. [`given`] finds the document that a user names. [`finding`] describes a problem, its location and the
//! next step; [`exit()`] turns findings into the exit code of a command.

mod excerpt;
mod exit;
pub mod finding;
pub mod git;
pub mod given;
pub mod json;
pub mod keywords;
pub mod pointer;
pub mod program;
pub mod readable;
pub mod resolver;
pub mod source;

pub use exit::{exit, renderer};
