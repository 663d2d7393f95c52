//! The default transport on sockets of this machine.

#[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
mod crypto_provider;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod cut_off;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod doors;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod network;
#[cfg(not(any(feature = "rustls", feature = "rustls-no-provider")))]
mod no_tls;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod other_features;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod runtimes;
#[cfg(feature = "rustls")]
mod tls;
