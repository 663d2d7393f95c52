//! The transport that clients use unless they are given another: HTTP through reqwest, which callers may configure.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
#[cfg(feature = "http2")]
use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;

use super::redirects::{Route, location};
use super::timeouts::Watch;
use crate::error::{ConfigurationError, TransportError};
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::{Bounds, whole};
#[cfg(feature = "compression")]
use crate::transport::decompression;
use crate::transport::options::HttpOptions;
use crate::transport::origin::Origin;
use crate::transport::redirects::{Elsewhere, NotFollowed};
use crate::transport::request_body::RequestBody;
use crate::transport::timeouts::Timeouts;
use crate::transport::transport::{BoxFuture, Transport, TransportResult, Whole};

/// How often a connection of HTTP/2 is checked while a call waits on it.
#[cfg(feature = "http2")]
const PING: Duration = Duration::from_secs(20);
/// How long it may take to respond to that.
#[cfg(feature = "http2")]
const PONG: Duration = Duration::from_secs(10);

/// A change of a caller's to the set-up of reqwest.
pub(crate) type Configure =
    Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

pub(crate) struct Network {
    client: reqwest::Client,
    timeouts: Timeouts,
    bounds: Bounds,
    options: HttpOptions,
    /// Hosts to which plain `http` is allowed.
    plain_hosts: Vec<String>,
    origin: Origin,
}

impl Network {
    /// `plain_text`: requests may travel unencrypted. `encrypted`: some have to be encrypted. What `configure` says comes between defaults and what guards the key.
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
            // Redirects are followed above it, if at all: reqwest drops only the standard credentials on the way to another origin.
            .redirect(Policy::none())
            // By default, reqwest repeats what it thinks safe to repeat.
            .retry(reqwest::retry::never())
            // The other timers are our own: reqwest's run out before it looks for bytes that have arrived.
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
            origin: Origin::default(),
        })
    }

    /// The request as reqwest has it, which parses its whole address. The host, which takes longest, is that of the first request.
    fn addressed(
        &self,
        request: http::Request<reqwest::Body>,
    ) -> Result<reqwest::Request, reqwest::Error> {
        // Extensions cannot be handed over otherwise.
        let is_plain = request.extensions().is_empty();
        let Some(url) = is_plain.then(|| self.origin.url(request.uri())).flatten() else {
            return reqwest::Request::try_from(request);
        };
        let (head, body) = request.into_parts();
        let mut request = reqwest::Request::new(head.method, url);
        *request.headers_mut() = head.headers;
        *request.version_mut() = head.version;
        *request.body_mut() = Some(body);
        Ok(request)
    }

    /// Sends a request, and waits for the head of its response.
    async fn head(
        &self,
        request: http::Request<reqwest::Body>,
        watch: &mut Watch,
    ) -> Result<(http::Response<()>, reqwest::Response), TransportError> {
        let request = self.addressed(request).map_err(failed)?;
        let sent = watch.next(self.client.execute(request)).await?;
        let mut response = sent.map_err(failed)?;

        let mut head = http::Response::new(());
        *head.status_mut() = response.status();
        *head.version_mut() = response.version();
        *head.headers_mut() = std::mem::take(response.headers_mut());
        Ok((head, response))
    }

    /// Sends a request on to where the service redirects it, if that is an option of the client.
    async fn last_head(
        &self,
        request: http::Request<reqwest::Body>,
        has_body: bool,
        watch: &mut Watch,
    ) -> Result<(http::Response<()>, reqwest::Response), TransportError> {
        if !self.options.redirects {
            return self.head(request, watch).await;
        }
        let route = Route::of(&request, has_body, &self.plain_hosts);
        let (mut head, mut response) = self.head(request, watch).await?;
        let Some(mut route) = route else {
            if location(&head).is_some() {
                let why = "only GET and HEAD without a body are sent to another address";
                head.extensions_mut().insert(NotFollowed(why));
            }
            return Ok((head, response));
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
            head.extensions_mut().insert(Elsewhere);
        }
        Ok((head, response))
    }

    /// Sends a request and returns the body of its response as it arrives.
    async fn arriving(
        &self,
        request: http::Request<reqwest::Body>,
        manner: Manner,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        let mut watch = self.timeouts.watch(request.extensions().get().copied());
        watch.follow(manner.taken);
        let (head, response) = self.last_head(request, manner.has_body, &mut watch).await?;
        if head.status().is_success() && !manner.is_whole {
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

    /// The same, decoded.
    #[cfg(feature = "compression")]
    async fn decoded(
        &self,
        mut request: http::Request<reqwest::Body>,
        manner: Manner,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        if !self.options.compression {
            return self.arriving(request, manner).await;
        }
        decompression::accept(request.headers_mut());
        let method = request.method().clone();
        let response = self.arriving(request, manner).await?;
        Ok(decompression::decode(&method, response))
    }

    #[cfg(not(feature = "compression"))]
    async fn decoded(
        &self,
        request: http::Request<reqwest::Body>,
        manner: Manner,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        self.arriving(request, manner).await
    }

    async fn attempt(
        &self,
        request: http::Request<reqwest::Body>,
        manner: Manner,
    ) -> TransportResult {
        let response = self.decoded(request, manner).await?;
        let limit = self.bounds.of(response.status());
        whole(response, limit).await
    }

    async fn attempt_stream(
        &self,
        request: http::Request<reqwest::Body>,
        manner: Manner,
    ) -> Result<http::Response<BodyStream>, TransportError> {
        let response = self.decoded(request, manner).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        let limit = self.bounds.of(response.status());
        Ok(whole(response, limit).await?.map(BodyStream::from))
    }
}

/// How a request is sent.
struct Manner {
    has_body: bool,
    /// An attempt ends with the body of a success, and otherwise with its head.
    is_whole: bool,
    /// While it counts, the service has no reason to say anything.
    taken: Option<Arc<AtomicU64>>,
}

/// What a caller may choose otherwise, whatever features of reqwest another crate of the program turns on.
fn defaults(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    let builder = builder.no_hickory_dns();
    // A connection that leads nowhere any more is closed: otherwise call after call would wait on it for its read timeout.
    #[cfg(feature = "http2")]
    let builder = builder
        .http2_keep_alive_interval(PING)
        .http2_keep_alive_timeout(PONG);
    #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
    let builder = builder.tls_backend_rustls();
    builder
}

/// Turns off what another crate of the program may turn on by a feature of reqwest.
fn unmoved_by_features(builder: reqwest::ClientBuilder, http2: bool) -> reqwest::ClientBuilder {
    // On HTTP/2, one connection that breaks puts all calls on it at risk at once.
    let builder = match http2 && cfg!(feature = "http2") {
        true => builder,
        false => builder.http1_only(),
    };
    // A body is bounded, kept and shown as it arrived, or decoded with a bound of our own.
    builder.no_gzip().no_brotli().no_deflate().no_zstd()
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
        let manner = Manner {
            has_body: !request.body().is_empty(),
            is_whole: true,
            taken: None,
        };
        Box::pin(self.attempt(request.map(reqwest::Body::from), manner))
    }

    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let manner = Manner {
            has_body: !request.body().is_empty(),
            is_whole: false,
            taken: None,
        };
        Box::pin(self.attempt_stream(request.map(reqwest::Body::from), manner))
    }

    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let manner = Manner {
            has_body: true,
            is_whole: request.extensions().get::<Whole>().is_some(),
            taken: Some(request.body().taken()),
        };
        Box::pin(self.attempt_stream(request.map(reqwest::Body::wrap), manner))
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

/// The first request was sent, and what became of it is not that of the next one.
fn after_a_redirect(error: TransportError) -> TransportError {
    match error.kind() {
        TransportErrorKind::Connect => error.of_kind(TransportErrorKind::Other),
        _ => error,
    }
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
