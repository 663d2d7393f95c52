//! A client from the outside: through its public interface, against a transport in memory or a socket of this machine.

mod answers;
mod money;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod network;
#[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
mod provider;
mod requests;
mod secrets;
mod support;
