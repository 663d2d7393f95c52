//! The transport that clients use unless they are given another: HTTP through reqwest, which stays invisible outside of this file.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::redirect::Policy;

use super::bounds::{Bounds, too_large};
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
    bounds: Bounds,
}

impl Network {
    /// `plain_text`: requests will travel unencrypted, to this machine.
    pub(crate) fn new(
        plain_text: bool,
        timeouts: Timeouts,
        bounds: Bounds,
    ) -> Result<Self, ConfigurationError> {
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
        Ok(Self { client, bounds })
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
            let mut response = self.client.execute(request).await.map_err(failed)?;
            let mut head = http::Response::new(());
            *head.status_mut() = response.status();
            *head.version_mut() = response.version();
            *head.headers_mut() = std::mem::take(response.headers_mut());

            let limit = self.bounds.of(head.status());
            let mut body = BytesMut::new();
            let end = loop {
                let chunk = match response.chunk().await {
                    Ok(Some(chunk)) => chunk,
                    Ok(None) => break Ok(()),
                    Err(error) => break Err(broke_off(error)),
                };
                let room = limit - body.len();
                if let Some(fits) = chunk.get(..room)
                    && chunk.len() > room
                {
                    body.extend_from_slice(fits);
                    return Err(too_large(head.map(|()| body.freeze()), limit));
                }
                body.extend_from_slice(&chunk);
            };
            let arrived = head.map(|()| body.freeze());
            match end {
                Ok(()) => Ok(arrived),
                Err(error) => Err(error.with_partial(arrived)),
            }
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
