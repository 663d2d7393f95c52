//! The transport that clients use unless they are given another: HTTP/1.1 through reqwest, which callers may configure.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::redirect::Policy;

use super::bounds::too_large;
use super::timeouts::Watch;
use crate::error::{ConfigurationError, TransportError};
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::Bounds;
use crate::transport::timeouts::Timeouts;
use crate::transport::transport::{BoxFuture, Transport, TransportResult};

/// How long a connection may be idle and be used again. A server that closes one at the same moment leaves the fate of a request unknown,
/// and money at risk. By default, gunicorn closes after 2 seconds, Apache, Node.js and uvicorn after 5, an AWS load balancer after 60,
/// nginx after 75.
const POOL_IDLE: Duration = Duration::from_secs(1);
/// Bytes of a body that room is made for before they arrive. A service may announce any number.
const MOST_AT_ONCE: u64 = 1 << 20;

/// A change of a caller's to the set-up of reqwest.
pub(crate) type Configure =
    Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

pub(crate) struct Network {
    client: reqwest::Client,
    timeouts: Timeouts,
    bounds: Bounds,
}

impl Network {
    /// `plain_text`: requests may travel unencrypted. `encrypted`: some have to be encrypted. What `configure` says comes between defaults and what guards money and key.
    pub(crate) fn new(
        plain_text: bool,
        encrypted: bool,
        configure: Vec<Configure>,
        timeouts: Timeouts,
        bounds: Bounds,
    ) -> Result<Self, ConfigurationError> {
        if encrypted && cfg!(not(any(feature = "rustls", feature = "rustls-no-provider"))) {
            // Without TLS, reqwest would send what belongs to an `https` address to a proxy as plain text, with the key.
            return Err(ConfigurationError::NoTls);
        }
        require_crypto_provider()?;
        let mut builder = defaults(reqwest::Client::builder());
        if plain_text {
            // A proxy of the environment would carry the key off this machine.
            builder = builder.no_proxy();
        }
        let builder = configure
            .into_iter()
            .fold(builder, |builder, configure| configure(builder))
            // reqwest drops only the standard credentials on the way to another origin: a key in a header of its own would go along.
            .redirect(Policy::none())
            // By default, reqwest repeats what it thinks safe to repeat.
            .retry(reqwest::retry::never())
            // The other timers are our own: reqwest's run out before it looks for bytes that have arrived.
            .connect_timeout(timeouts.connecting())
            .pool_idle_timeout(POOL_IDLE)
            .referer(false);
        let client = unmoved_by_features(builder)
            .build()
            .map_err(|error| ConfigurationError::Transport(failed(error)))?;
        Ok(Self {
            client,
            timeouts,
            bounds,
        })
    }

    /// Sends a request, and waits for the head of its response.
    async fn head(
        &self,
        request: http::Request<Bytes>,
        watch: &mut Watch,
    ) -> Result<(http::Response<()>, reqwest::Response), TransportError> {
        let request = reqwest::Request::try_from(request).map_err(failed)?;
        let sent = watch.next(self.client.execute(request)).await?;
        let mut response = sent.map_err(failed)?;

        let mut head = http::Response::new(());
        *head.status_mut() = response.status();
        *head.version_mut() = response.version();
        *head.headers_mut() = std::mem::take(response.headers_mut());
        Ok((head, response))
    }

    /// Reads the body after a head.
    async fn whole(
        &self,
        head: http::Response<()>,
        mut response: reqwest::Response,
        mut watch: Watch,
    ) -> TransportResult {
        let limit = self.bounds.of(head.status());
        let announced = response.content_length().unwrap_or_default();
        let room = usize::try_from(announced.min(MOST_AT_ONCE)).unwrap_or_default();
        let mut body = BytesMut::with_capacity(room);
        let end = read(&mut response, &mut watch, limit, &mut body).await;
        let arrived = head.map(|()| body.freeze());
        match end {
            Ok(()) => Ok(arrived),
            Err(error) => Err(error.with_partial(arrived)),
        }
    }

    async fn attempt(&self, request: http::Request<Bytes>) -> TransportResult {
        let mut watch = self.timeouts.watch(request.extensions().get().copied());
        let (head, response) = self.head(request, &mut watch).await?;
        self.whole(head, response, watch).await
    }

    async fn attempt_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        let mut watch = self.timeouts.watch(request.extensions().get().copied());
        let (head, response) = self.head(request, &mut watch).await?;
        if !head.status().is_success() {
            let whole = self.whole(head, response, watch).await?;
            return Ok(whole.map(BodyStream::from));
        }
        let arriving = (response, watch.without_end());
        Ok(head.map(|()| {
            BodyStream::unfold(arriving, |(mut response, mut watch)| async move {
                let chunk = match watch.next(response.chunk()).await {
                    Ok(chunk) => chunk.map_err(broke_off).transpose()?,
                    Err(late) => Err(late),
                };
                Some((chunk, (response, watch)))
            })
        }))
    }
}

/// What a caller may choose otherwise, whatever features of reqwest another crate of the program turns on.
fn defaults(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    let builder = builder.no_hickory_dns();
    #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
    let builder = builder.tls_backend_rustls();
    builder
}

/// Turns off what another crate of the program may turn on by a feature of reqwest.
fn unmoved_by_features(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    builder
        // On HTTP/2, one connection that breaks puts all calls on it at risk at once.
        .http1_only()
        // A body is bounded, kept and shown as it arrived.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
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
        Box::pin(self.attempt(request))
    }

    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        Box::pin(self.attempt_stream(request))
    }
}

/// Reads to the end of the body, or to its limit. What arrived is in `body`, whatever the result.
async fn read(
    response: &mut reqwest::Response,
    watch: &mut Watch,
    limit: usize,
    body: &mut BytesMut,
) -> Result<(), TransportError> {
    while let Some(chunk) = watch.next(response.chunk()).await?.map_err(broke_off)? {
        let room = limit.saturating_sub(body.len());
        let fits = chunk.get(..room).unwrap_or(&chunk);
        body.extend_from_slice(fits);
        if chunk.len() > room {
            return Err(too_large(limit));
        }
    }
    Ok(())
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
