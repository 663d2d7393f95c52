//! The transport that clients use unless they are given another: HTTP through reqwest, which stays invisible outside of this file.

use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;

use super::{BoxFuture, Transport};
use crate::error::{ConfigurationError, TransportError, TransportErrorKind};
use crate::pace::FOREVER;

/// How long to wait for the service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    pub(crate) connect: Duration,
    /// Without a byte from the service for so long, the answer counts as lost.
    pub(crate) read: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(60),
        }
    }
}

pub(crate) struct Network {
    client: reqwest::Client,
}

impl Network {
    /// `plain_text`: requests will travel unencrypted, to this machine.
    pub(crate) fn new(plain_text: bool, timeouts: Timeouts) -> Result<Self, ConfigurationError> {
        require_crypto_provider()?;
        let mut builder = reqwest::Client::builder()
            // reqwest drops only the standard credentials on the way to another origin: a key in a header of its own would go along.
            .redirect(Policy::none())
            // By default, reqwest repeats what it thinks safe to repeat.
            .retry(reqwest::retry::never())
            .connect_timeout(timeouts.connect.min(FOREVER))
            .read_timeout(timeouts.read.min(FOREVER));
        if plain_text {
            // A proxy would carry the key off this machine.
            builder = builder.no_proxy();
        }
        let client = builder
            .build()
            .map_err(|error| ConfigurationError::Transport(failed(error)))?;
        Ok(Self { client })
    }
}

/// Without a provider, reqwest would panic. With the feature `rustls` it brings one.
fn require_crypto_provider() -> Result<(), ConfigurationError> {
    #[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        return Err(ConfigurationError::CryptoProvider);
    }
    Ok(())
}

impl Transport for Network {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async {
            let request = reqwest::Request::try_from(request).map_err(failed)?;
            let mut answer = self.client.execute(request).await.map_err(failed)?;
            let mut received = http::Response::new(Bytes::new());
            *received.status_mut() = answer.status();
            *received.version_mut() = answer.version();
            *received.headers_mut() = std::mem::take(answer.headers_mut());
            *received.body_mut() = answer.bytes().await.map_err(broke_off)?;
            Ok(received)
        })
    }
}

fn failed(error: reqwest::Error) -> TransportError {
    // A connect timeout is both, and that nothing was sent is what matters about it.
    let kind = if error.is_connect() || error.is_builder() {
        TransportErrorKind::Connect
    } else if error.is_timeout() {
        TransportErrorKind::Timeout
    } else {
        TransportErrorKind::Other
    };
    TransportError::new(kind, error.without_url())
}

/// reqwest calls a body that ends early a decoding error, which to a caller would be bad JSON.
fn broke_off(error: reqwest::Error) -> TransportError {
    let kind = if error.is_timeout() {
        TransportErrorKind::Timeout
    } else {
        TransportErrorKind::Body
    };
    TransportError::new(kind, error.without_url())
}
