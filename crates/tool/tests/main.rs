//! The program as others run it: by hand, and by the action in their CI.

#![expect(
    clippy::disallowed_methods,
    reason = "runs the binary and scripts in folders that it makes"
)]
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod action;
mod elsewhere;
