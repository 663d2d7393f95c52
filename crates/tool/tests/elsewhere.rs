//! The program outside its repository: a file, copied to a place without anything of the repository that built it.

#![expect(
    clippy::disallowed_methods,
    reason = "runs the binary in folders that it makes"
)]
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod crates;
mod documents;
mod file;
mod program;
mod support;
