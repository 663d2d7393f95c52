//! The report on two documents: each change with what it does on the wire and to callers' Rust, for people, for
//! programs, and for a pull request.

mod attribution;
mod folded;
mod json;
mod markdown;
mod text;

pub use attribution::{Entry, Report, Rust, Surfaces};
pub use json::json;
pub use markdown::{bounded, markdown};
pub use text::text;
