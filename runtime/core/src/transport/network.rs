//! The default transport: HTTP through reqwest, which callers may configure.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
#[cfg(feature = "http2")]
use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;

use super::redirects::{Route, is_redirect};
use super::timeouts::Watch;
use crate::error::{ConfigurationError, TransportError};
use crate::future::BoxFuture;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::{Bounds, whole};
#[cfg(feature = "compression")]
use crate::transport::decompression;
use crate::transport::options::HttpOptions;
use crate::transport::redirects::{NotFollowed, OtherOrigin};
#[cfg(feature = "uploads")]
use crate::transport::request_body::RequestBody;
use crate::transport::timeouts::Timeouts;
#[cfg(feature = "uploads")]
use crate::transport::transport::Whole;
use crate::transport::transport::{Transport, TransportResult};

/// The interval of pings on an HTTP/2 connection while a call waits for it.
#[cfg(feature = "http2")]
const PING: Duration = Duration::from_secs(20);
/// The time limit of the response to a ping.
#[cfg(feature = "http2")]
const PONG: Duration = Duration::from_secs(10);

/// A caller's change to the set-up of reqwest.
pub(crate) type Configure =
    Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

pub(crate) struct Network {
    client: reqwest::Client,
    timeouts: Timeouts,
    bounds: Bounds,
    options: HttpOptions,
    plain_hosts: Vec<String>,
}

impl Network {
    /// `plain_text`: requests may be sent unencrypted. `encrypted`: some must be encrypted. `configure` is applied between the defaults and
    /// the settings that protect the key.
    pub(crate) fn new(
        plain_text: bool,
        encrypted: bool,
        configure: Vec<Configure>,
        timeouts: Timeouts,
        bounds: Bounds,
        options: HttpOptions,
        plain_hosts: Vec<String>,
    ) -> Result<Self, ConfigurationError> {
        if encrypted && cfg!(not(any(feature = "rustls", feature = "rustls-no-provider"))) {
            // Without TLS, reqwest would send requests to an `https` address to a proxy in plain text, with the key.
            return Err(ConfigurationError::NoTls);
        }
        require_crypto_provider()?;
        let mut builder = defaults(reqwest::Client::builder());
        if plain_text {
            // A proxy of the environment would send the key off this machine.
            builder = builder.no_proxy();
        }
        let builder = configure
            .into_iter()
            .fold(builder, |builder, configure| configure(builder))
            // Redirects are followed above reqwest, if at all: reqwest drops only the standard credentials on the way to another origin.
            .redirect(Policy::none())
            // By default, reqwest repeats requests that it considers safe.
            .retry(reqwest::retry::never())
            // The other timers of reqwest are unused: they expire before it looks for bytes that have arrived.
            .connect_timeout(timeouts.connecting())
            .pool_idle_timeout(options.idle)
            .referer(false);
        let client = unmoved_by_features(builder, options.http2)
            .build()
            .map_err(|error| ConfigurationError::Transport(failed(error)))?;
        Ok(Self {
            client,
            timeouts,
            bounds,
            options,
            plain_hosts,
        })
    }

    /// Sends a request, and waits for the head of its response.
    async fn head(
        &self,
        request: http::Request<reqwest::Body>,
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

    /// Follows redirects, if the client has that option.
    async fn last_head(
        &self,
        request: http::Request<reqwest::Body>,
        has_body: bool,
        watch: &mut Watch,
    ) -> Result<(http::Response<()>, reqwest::Response), TransportError> {
        let route = if self.options.redirects {
            let route = Route::of(&request, has_body, &self.plain_hosts);
            route.ok_or("only GET and HEAD without a body are sent to another address")
        } else {
            Err("the client follows none; check the base URL")
        };
        let (mut head, mut response) = self.head(request, watch).await?;
        let mut route = match route {
            Ok(route) => route,
            Err(why) => {
                if is_redirect(head.status()) {
                    head.extensions_mut().insert(NotFollowed(why));
                }
                return Ok((head, response));
            }
        };
        while let Some(next) = route.next(&head) {
            match next {
                Ok(next) => {
                    let next = next.map(|()| reqwest::Body::default());
                    let sent = self.head(next, watch).await;
                    (head, response) = sent.map_err(after_a_redirect)?;
                }
                Err(why) => {
                    head.extensions_mut().insert(why);
                    break;
                }
            }
        }
        if route.has_crossed() {
            head.extensions_mut().insert(OtherOrigin);
        }
        Ok((head, response))
    }

    /// Sends a request and returns the body of its response as it arrives.
    async fn arriving(
        &self,
        request: http::Request<reqwest::Body>,
        mode: SendMode,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        let mut watch = self.timeouts.watch(request.extensions().get().copied());
        watch.follow(mode.taken);
        let (head, response) = self.last_head(request, mode.has_body, &mut watch).await?;
        if head.status().is_success() && !mode.is_whole {
            watch = watch.without_end();
        }
        let arriving = (response, watch);
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

    /// Works like [`arriving`](Self::arriving), and decodes the body.
    async fn decoded(
        &self,
        request: http::Request<reqwest::Body>,
        mode: SendMode,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        #[cfg(feature = "compression")]
        if self.options.compression {
            let method = request.method().clone();
            let mut request = request;
            decompression::accept(request.headers_mut());
            let response = self.arriving(request, mode).await?;
            return Ok(decompression::decode(&method, response));
        }
        self.arriving(request, mode).await
    }

    async fn attempt(
        &self,
        request: http::Request<reqwest::Body>,
        mode: SendMode,
    ) -> TransportResult {
        let response = self.decoded(request, mode).await?;
        let limit = self.bounds.of(response.status());
        whole(response, limit).await
    }
}

/// The options of a request.
struct SendMode {
    has_body: bool,
    /// True if an attempt ends with the body of a success; otherwise it ends with the head.
    is_whole: bool,
    /// The counter of sent bytes. While it grows, an idle service is normal.
    taken: Option<Arc<AtomicU64>>,
}

/// Sets the defaults that a caller may change, independent of the reqwest features that other crates enable.
fn defaults(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    let builder = builder.no_hickory_dns();
    // Dead connections are closed: otherwise each call would wait for its read timeout on them.
    #[cfg(feature = "http2")]
    let builder = builder
        .http2_keep_alive_interval(PING)
        .http2_keep_alive_timeout(PONG);
    #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
    let builder = builder.tls_backend_rustls();
    builder
}

/// Turns off behaviour that other crates may enable by a feature of reqwest.
fn unmoved_by_features(builder: reqwest::ClientBuilder, http2: bool) -> reqwest::ClientBuilder {
    // On HTTP/2, one broken connection puts all of its calls at risk.
    let builder = if http2 && cfg!(feature = "http2") {
        builder
    } else {
        builder.http1_only()
    };
    // Bodies are limited and kept raw, or decoded with a limit of the client.
    builder.no_gzip().no_brotli().no_deflate().no_zstd()
}

/// Checks that a crypto provider is installed, without which reqwest would panic. The feature `rustls` includes one.
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
        let mode = SendMode {
            has_body: !request.body().is_empty(),
            is_whole: true,
            taken: None,
        };
        Box::pin(self.attempt(request.map(reqwest::Body::from), mode))
    }

    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let mode = SendMode {
            has_body: !request.body().is_empty(),
            is_whole: false,
            taken: None,
        };
        Box::pin(self.decoded(request.map(reqwest::Body::from), mode))
    }

    #[cfg(feature = "uploads")]
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let mode = SendMode {
            has_body: true,
            is_whole: request.extensions().get::<Whole>().is_some(),
            taken: Some(request.body().taken()),
        };
        Box::pin(self.decoded(request.map(reqwest::Body::wrap), mode))
    }
}

fn failed(error: reqwest::Error) -> TransportError {
    // A connect timeout matches both; only the fact that nothing was sent matters.
    let kind = if error.is_connect() || error.is_builder() {
        TransportErrorKind::Connect
    } else if error.is_timeout() {
        TransportErrorKind::Timeout
    } else {
        TransportErrorKind::Other
    };
    TransportError::new(kind, error.without_url())
}

/// Marks an error as uncertain: the first request was sent, even if the redirected one was not.
fn after_a_redirect(error: TransportError) -> TransportError {
    match error.kind() {
        TransportErrorKind::Connect => error.of_kind(TransportErrorKind::Other),
        _ => error,
    }
}

/// reqwest reports a truncated body as a decoding error, which callers would mistake for bad JSON.
fn broke_off(error: reqwest::Error) -> TransportError {
    let kind = if error.is_timeout() {
        TransportErrorKind::Timeout
    } else {
        TransportErrorKind::Body
    };
    TransportError::new(kind, error.without_url())
}
