//! The payload of every operation: each field is read by its Rust name, and nothing of a payload may be missing from what was read.

mod company;
mod enrichment;
mod posts;
mod reviews;
