//! What one document means to clients that were written for another: two documents in, a list of changes out, and a
//! report of them. Works on JSON values of any OpenAPI document of 3.0, 3.1 or 3.2. Pure: commands bring the documents and write the
//! text.
//!
//! - `report` brings the changes and the differences of callers' Rust together.
//! - `matched` says which place of one document is which of the other.
//! - `compare` compares two documents: schemas in pairs, once each, and without a direction; then it is found out which
//!   operations reach which difference and which way the value travels, and the table of rules gives the verdict.
//! - `named` says what operations are found by.
//! - `http` has operations, `schemas` the schemas below them, `verdicts` the rules and what they say of a difference.
//!
//! Each imports only from those below it. All but `report` know nothing of Rust, of overrides, or of files.

mod callers;
pub mod command;
mod compare;
mod decimal;
mod http;
mod matched;
mod named;
mod report;
mod schemas;
mod verdicts;

pub use callers::{About, Bump, Difference};
pub use compare::{Differences, compare, refusal, validate};
pub use http::{PathMove, moves};
pub use matched::{Matched, matched};
pub use named::{Named, extend};
pub use report::{
    Accepted, Entry, Filter, Policy, Report, Rust, SCHEMA, Surfaces, Validity, View, Waived,
    accept, annotations, bounded, entry, html, json, junit, markdown, policy, reached, sarif,
    summary, text, validities_json, validities_sarif, with_waivers,
};
pub use verdicts::{Change, Direction, Part, Place, RULES, Reached, Rule, Wire};
