//! The default transport on sockets of this machine.

#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod compression;
#[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
mod crypto_provider;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod cut_off;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod doors;
#[cfg(feature = "rustls")]
mod http2;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod network;
#[cfg(not(any(feature = "rustls", feature = "rustls-no-provider")))]
mod no_tls;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod other_features;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod redirects;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod routes;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod runtimes;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod service;
#[cfg(feature = "rustls")]
mod tls;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod uploads;
