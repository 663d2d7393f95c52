//! A client from the outside: through its public interface, against a transport in memory or a socket of this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics is a test that fails"
)]

mod answers;
mod bank;
mod budget;
mod cool_down;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod cut_off;
mod driven;
mod fate;
mod free;
mod money;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod network;
mod pace;
mod paging;
mod paging_ends;
mod policies;
mod prices;
#[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
mod provider;
mod quotes;
mod raw;
mod recorder;
mod requests;
mod script;
mod scripts;
mod secrets;
mod spans;
mod spellings;
mod storm;
mod storm_unknown;
mod support;
mod things;
#[cfg(feature = "rustls")]
mod tls;
mod unknown_prices;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod unmoved;
mod waiting;
mod warnings;
