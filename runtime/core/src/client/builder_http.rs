//! Client settings about the transport and the headers of all requests.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;

use crate::client::api_client::ApiClient;
use crate::client::builder::ClientBuilder;
use crate::transport::bounds::Bounds;
use crate::transport::transport::Transport;

impl<C: ApiClient> ClientBuilder<C> {
    /// Replaces the `User-Agent`, which names the generated crate and its version.
    #[must_use]
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.settings.http.user_agent = user_agent.into();
        self
    }

    /// Sends this header with every call that does not set it. Of two values for one name, the later counts.
    ///
    /// [`build`](Self::build) refuses credential headers and headers that the client sets itself.
    #[must_use]
    pub fn default_header(mut self, name: impl Into<String>, value: impl Display) -> Self {
        let header = (name.into(), value.to_string());
        self.settings.http.default_headers.push(header);
        self
    }

    /// Sends trace context with each attempt: `write` adds `traceparent`, `tracestate` and `baggage` to an empty map. It is called within the
    /// span of the attempt, so that the service continues the trace there. Other headers are not sent, and those that the call sets stay. By default,
    /// none is sent.
    ///
    /// With OpenTelemetry, for example:
    ///
    /// ```text
    /// |headers| propagator.inject_context(&Span::current().context(), &mut HeaderInjector(headers))
    /// ```
    #[must_use]
    pub fn trace_context(mut self, write: impl Fn(&mut HeaderMap) + Send + Sync + 'static) -> Self {
        self.settings.http.trace_context = Some(Arc::new(write));
        self
    }

    /// Allows plain `http` to this host, such as a gateway in the same cluster, and to this machine. `host` is a name or an address without
    /// a port.
    ///
    /// Requests are sent unencrypted: **anyone on the network path can read the key**. The client then uses no proxy from the environment.
    #[must_use]
    pub fn allow_plain_http(mut self, host: impl Into<String>) -> Self {
        self.settings.http.plain_hosts.push(host.into());
        self
    }

    /// Replaces the transport: for tests, recordings, or another HTTP stack.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.settings.http.transport = Some(Arc::new(transport));
        self
    }

    /// Configures the HTTP client of the built-in transport: proxy, root certificates, DNS, connection pool, and all other options of
    /// reqwest.
    ///
    /// Settings that protect the key are applied after `configure`: HTTP version, redirects, retries, decompression, connect timeout and
    /// idle time of connections. It has no effect on a custom transport.
    ///
    /// Requires the feature `unstable-reqwest`, which also exports [`reqwest`](crate::reqwest): **any version of this crate may use another
    /// major version of reqwest**, which is below 1.0.
    ///
    /// ```
    /// # use generated_client::document::Api;
    /// # use generated_client::{Client, ClientBuilder, Error, reqwest};
    /// # fn example(api: &'static Api, certificate: reqwest::Certificate) -> Result<Client, Error> {
    /// ClientBuilder::new(api, "https://api.example.com")
    ///     .api_key("secret")
    ///     .http(|http| http.no_proxy().tls_certs_merge([certificate]))
    ///     .build()
    /// # }
    /// ```
    #[cfg(feature = "unstable-reqwest")]
    #[must_use]
    pub fn http(
        mut self,
        configure: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + 'static,
    ) -> Self {
        self.settings.http.configure.push(Box::new(configure));
        self
    }

    /// Sets whether the built-in transport follows redirects of GET and HEAD: 301, 302, 303, 307 and 308, at most 10 of them. Default: yes
    /// without an interceptor.
    ///
    /// Only `Accept`, `Accept-Encoding`, `Accept-Language`, `Range` and `User-Agent` are sent to another scheme, host or port, and never
    /// with a credential. The query is dropped. Redirects of other methods or with a body are not followed, nor are those from `https` to
    /// `http`, to a visited address, or with a credential in an address of another origin. They are returned as responses, and
    /// [`Error::Status`](crate::Error::Status) gives the reason. It has no effect on a custom transport.
    #[must_use]
    pub fn follow_redirects(mut self, is_followed: bool) -> Self {
        self.settings.http.options.redirects = is_followed;
        self
    }

    /// Sets whether the built-in transport requests and decodes compressed bodies (gzip, Brotli, Zstandard). Default: yes without an
    /// interceptor. [`max_response_bytes`](Self::max_response_bytes) limits the decoded body. It has no effect on a custom transport.
    #[cfg(feature = "compression")]
    #[must_use]
    pub fn compression(mut self, is_decoded: bool) -> Self {
        self.settings.http.options.compression = is_decoded;
        self
    }

    /// Sets whether the built-in transport uses HTTP/2 if the service offers it (ALPN). Default: yes without an interceptor. It has no
    /// effect on a custom transport.
    #[cfg(feature = "http2")]
    #[must_use]
    pub fn http2(mut self, is_taken: bool) -> Self {
        self.settings.http.options.http2 = is_taken;
        self
    }

    /// Sets how long the built-in transport keeps idle connections. Default: 90 seconds without an interceptor, otherwise one second. It
    /// has no effect on a custom transport.
    #[must_use]
    pub fn pool_idle_timeout(mut self, idle: Duration) -> Self {
        self.settings.http.options.idle = idle;
        self
    }

    /// Wraps the current transport: the built-in one, or that of [`transport`](Self::transport). The last of several wraps is the
    /// outermost.
    ///
    /// It sees each attempt with its credentials. It must send a request at most once: only the client retries. It marks a response that it did
    /// not request, such as one of a cache, as [`NotSent`](crate::transport::NotSent). The interceptor sees the result of the outermost
    /// transport. Around a closure, streamed responses and bodies are read completely: implement all methods of
    /// [`Transport`](crate::transport::Transport) to pass them on.
    ///
    /// ```
    /// # use generated_client::document::Api;
    /// # use generated_client::transport::Transport;
    /// # use generated_client::{Bytes, Client, ClientBuilder, Error, http};
    /// # fn example(api: &'static Api) -> Result<Client, Error> {
    /// ClientBuilder::new(api, "https://api.example.com")
    ///     .api_key("secret")
    ///     .wrap(|inner| {
    ///         move |request: http::Request<Bytes>| {
    ///             let inner = inner.clone();
    ///             async move {
    ///                 let path = request.uri().path().to_owned();
    ///                 let response = inner.send(request).await;
    ///                 println!("{path}: {:?}", response.as_ref().map(http::Response::status));
    ///                 response
    ///             }
    ///         }
    ///     })
    ///     .build()
    /// # }
    /// ```
    #[must_use]
    pub fn wrap<T: Transport>(
        mut self,
        wrap: impl FnOnce(Arc<dyn Transport>) -> T + Send + 'static,
    ) -> Self {
        self.settings
            .http
            .wraps
            .push(Box::new(move |inner| Arc::new(wrap(inner))));
        self
    }

    /// Limits the time to connect, TLS included. Default: 5 seconds, and at most the read and attempt timeouts. If it expires, nothing was
    /// sent. A custom transport has its own timeout.
    #[must_use]
    pub fn connect_timeout(mut self, connect: Duration) -> Self {
        self.settings.http.timeouts.connect = connect;
        self
    }

    /// Sets the idle timeout: how long the service may send nothing, before or during its response. Default: 60 seconds, connecting
    /// included. If it expires, the rest of the response is lost, and it may be unknown whether the service processed the call. The service
    /// may be idle while a body is sent. A custom transport has its own timeout.
    #[must_use]
    pub fn read_timeout(mut self, read: Duration) -> Self {
        self.settings.http.timeouts.read = read;
        self
    }

    /// Limits one attempt, from its start to the last byte of the response. Default: 300 seconds, including the time to send a large body.
    /// It also ends responses that trickle in. The error keeps the bytes that arrived
    /// ([`TransportError::partial`](crate::error::TransportError::partial)). For a streamed response it
    /// limits the time to the head. A custom transport has its own timeout.
    #[must_use]
    pub fn attempt_timeout(mut self, attempt: Duration) -> Self {
        self.settings.http.timeouts.attempt = attempt;
        self
    }

    /// Limits the body of a response, in bytes. Default: 64 MiB. A body with a status other than 2xx is limited to 1 MiB, or to this if
    /// lower. A streamed response is unlimited, but each of its events or lines has this limit.
    ///
    /// The built-in transport stops reading there; responses of other transports are checked before they are decoded. The call fails with
    /// [`TransportErrorKind::TooLarge`](crate::error::TransportErrorKind::TooLarge), and the error keeps the bytes up to the limit
    /// ([`TransportError::partial`](crate::error::TransportError::partial)).
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.settings.http.bounds = Bounds::new(bytes);
        self
    }
}
