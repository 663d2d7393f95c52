//! Effects of a new document on clients that were written for another: takes two documents, returns a list of changes and a
//! report. Works on JSON values of any OpenAPI document of 3.0, 3.1 or 3.2. Pure: commands read the documents and write the
//! output.
//!
//! - `report` combines the changes with the differences of callers' Rust.
//! - `matched` matches the locations of two documents.
//! - `compare` compares two documents: schemas in pairs, once each, and without a direction; then it finds which
//!   operations reach each difference, and whether in requests or responses. The table of rules gives the verdict.
//! - `http` compares operations, `schemas` the schemas below them; `verdicts` contains the rules and messages.
//!
//! Each imports only from those below it. Only `report` knows about Rust, overrides and files.

mod callers;
pub mod command;
mod compare;
mod http;
mod matched;
mod report;
mod schemas;
mod verdicts;

pub use callers::{About, Bump, Difference};
pub use compare::{Differences, compare, refusal};
pub use http::{PathMove, moves};
pub use matched::{Matched, matched};
pub use report::{Entry, Report, Rust, SCHEMA, Surfaces, bounded, json, markdown, sarif, text};
pub use verdicts::{Change, Direction, Part, Place, RULES, Reached, Rule, Wire};
