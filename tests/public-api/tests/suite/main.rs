//! Everything public of the crates that callers depend on: lists, examples, and what the texts say of it.

#![allow(
    clippy::indexing_slicing,
    reason = "a member that is missing in JSON is null"
)]

mod examples;
mod features;
mod guide;
#[cfg(feature = "gate")]
mod lists;
mod prose;
