//! The report on two documents: each change with its effect on the wire and on callers' Rust, for people, for
//! programs, and for a pull request.

mod attribution;
mod folded;
mod groups;
mod json;
mod locations;
mod markdown;
mod numbers;
mod reaches;
mod sarif;
mod text;

pub use attribution::{Entry, Report, Rust, Surfaces};
pub use json::{SCHEMA, json};
pub use markdown::{bounded, markdown};
pub use sarif::sarif;
pub use text::text;
