//! The contract of a client as data: what a service does, and what a caller must see, one file a case, in `cases/`. Here are what reads the
//! cases, the service that plays them, and the adapter protocol that asks any client.

#![allow(missing_docs, reason = "only tests call these")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

pub mod adapter;
pub mod addresses;
pub mod calls;
pub mod cases;
pub mod matrix;
pub mod request;
pub mod service;

/// The key of every client here. Only the header of a request may show it.
pub const KEY: &str = "canary-5f0c1e";
