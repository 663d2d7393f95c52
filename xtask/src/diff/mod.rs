//! The report on two documents: each change with what it does on the wire and to callers' Rust, for people, for
//! programs, and for a pull request. Pure: commands bring the documents and write the text.

mod json;
mod markdown;
mod report;
mod text;

pub use json::json;
pub use markdown::markdown;
pub use report::{Entry, Report, Rust, RustDifference, Surfaces};
pub use text::text;
