//! A client from the outside: through its public interface, against a transport in memory or a socket of this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics is a test that fails"
)]

mod cache;
mod calls;
// A journal that is locked cannot be read on other systems.
#[cfg(unix)]
mod command_line;
mod credentials;
mod errors;
mod journal;
mod money;
mod pace;
mod paging;
mod scripted_transport;
mod secrets;
mod sockets;
mod storms;
mod streams;
mod support;
mod traces;
mod waiting;
