//! Requests of the client, byte by byte, and its handling of responses, against real sockets. Expectations are typed from the provider's
//! reference and never derived from the document that the client is generated from, so that mistakes in it show here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod charges;
mod depot;
mod drift;
mod envelopes;
mod errors;
mod evidence;
mod faults;
mod forms;
mod listings;
mod live;
mod nulls;
mod operations;
mod paging;
mod payloads;
mod readme;
mod round_trip;
mod secrets;
mod snapshots;
mod support;
