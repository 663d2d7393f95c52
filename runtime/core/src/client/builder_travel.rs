//! Settings of a client about how its requests travel.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use crate::client::api_client::ApiClient;
use crate::client::builder::ClientBuilder;
use crate::transport::bounds::Bounds;
use crate::transport::transport::Transport;

impl<C: ApiClient> ClientBuilder<C> {
    /// Replaces the `User-Agent`, which names the generated crate and its version.
    #[must_use]
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.settings.travel.user_agent = user_agent.into();
        self
    }

    /// Adds a product to the end of the `User-Agent`, such as `reports/2.1`.
    #[must_use]
    pub fn user_agent_suffix(mut self, product: impl Display) -> Self {
        self.settings.travel.user_agent = format!("{} {product}", self.settings.travel.user_agent);
        self
    }

    /// Sends this header with every call, unless the call has one of this name. Of two values for one name, the later counts.
    ///
    /// [`build`](Self::build) refuses a header of a credential, and one that the client sets itself.
    #[must_use]
    pub fn default_header(mut self, name: impl Into<String>, value: impl Display) -> Self {
        let header = (name.into(), value.to_string());
        self.settings.travel.default_headers.push(header);
        self
    }

    /// Allows plain `http` to this host, such as a gateway in the same cluster, and to this machine. `host` is its name or address,
    /// without a port.
    ///
    /// Requests travel unencrypted: **whoever reads along has the key**. No proxy of the environment is used, for any address of the
    /// client.
    #[must_use]
    pub fn allow_plain_http(mut self, host: impl Into<String>) -> Self {
        self.settings.travel.plain_hosts.push(host.into());
        self
    }

    /// Replaces how requests reach the service: for tests, recordings, or another HTTP stack.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.settings.travel.transport = Some(Box::new(|_| Arc::new(transport)));
        self
    }

    /// Configures the HTTP client of the built-in transport: proxy, root certificates, DNS, connection pool, and all else that reqwest can.
    ///
    /// What guards the key is set after `configure`: the version of HTTP, redirects, retries, decompression, the connect
    /// timeout, and how long a connection may be idle. A transport of your own does not see it.
    ///
    /// The feature `unstable-reqwest` brings it, and [`reqwest`](crate::reqwest): **any version of this crate may come with another major
    /// version of reqwest**, which is below 1.0.
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
        self.settings.travel.configure.push(Box::new(configure));
        self
    }

    /// Sets whether the built-in transport follows redirects of GET and HEAD: 301, 302, 303, 307 and 308, at most 10 of them. Default: yes
    /// without an interceptor.
    ///
    /// Only `Accept`, `Accept-Encoding`, `Accept-Language`, `Range` and `User-Agent` go along to another scheme, host or port, and no
    /// header that holds a credential. The query is never carried along. A redirect that is not followed is the response, and
    /// [`Error::Status`](crate::Error::Status) says why: it leads from `https` to `http`, back to an address that was visited, or would show
    /// a credential to another origin; the method is another one, or the request has a body. A transport of your own does not see it.
    #[must_use]
    pub fn follow_redirects(mut self, is_followed: bool) -> Self {
        self.settings.travel.options.redirects = is_followed;
        self
    }

    /// Sets whether the built-in transport asks for compressed bodies (gzip, Brotli, Zstandard) and decodes them. Default: yes without an
    /// interceptor. [`max_response_bytes`](Self::max_response_bytes) bounds the decoded body. A transport of your own does not see it.
    #[cfg(feature = "compression")]
    #[must_use]
    pub fn compression(mut self, is_decoded: bool) -> Self {
        self.settings.travel.options.compression = is_decoded;
        self
    }

    /// Sets whether the built-in transport takes HTTP/2 where the service offers it (ALPN). Default: yes without an interceptor. A
    /// transport of your own does not see it.
    #[cfg(feature = "http2")]
    #[must_use]
    pub fn http2(mut self, is_taken: bool) -> Self {
        self.settings.travel.options.http2 = is_taken;
        self
    }

    /// Sets how long the built-in transport keeps an idle connection for another call. Default: 90 seconds without an interceptor, and
    /// otherwise one second. A transport of your own does not see it.
    #[must_use]
    pub fn pool_idle_timeout(mut self, idle: Duration) -> Self {
        self.settings.travel.options.idle = idle;
        self
    }

    /// Puts a transport around the one that is there: the built-in one, or that of [`transport`](Self::transport). Of several, the last is
    /// the outermost.
    ///
    /// It sees each attempt, with its credentials. Send a request at most once: the client decides on a second attempt. An
    /// interceptor sees what the outermost transport returns.
    /// Around a closure, [`ResponseStream`](crate::stream::ResponseStream)s are read whole: a type that implements
    /// [`Transport::send_stream`](crate::transport::Transport::send_stream) passes them on, and one that implements
    /// [`Transport::send_body`](crate::transport::Transport::send_body) passes on bodies that are read while they are sent.
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
            .travel
            .wraps
            .push(Box::new(move |inner, _| Arc::new(wrap(inner))));
        self
    }

    /// Bounds how long it takes to connect, TLS included. Default: 5 seconds, and at most the read and the attempt timeout. After it, nothing
    /// was sent. A transport of your own has its own.
    #[must_use]
    pub fn connect_timeout(mut self, connect: Duration) -> Self {
        self.settings.travel.timeouts.connect = connect;
        self
    }

    /// Sets the idle timeout: how long the service may send nothing, before its response and within. Default: 60 seconds, connecting
    /// included. After it, the rest of the response is lost, and whether the service took the call on may be unknown. While a
    /// [`Payload`](crate::request::Payload) is read and sent, the service may be silent. A transport of your own has its own.
    #[must_use]
    pub fn read_timeout(mut self, read: Duration) -> Self {
        self.settings.travel.timeouts.read = read;
        self
    }

    /// Bounds one attempt, from its start to the last byte of the response. Default: 300 seconds, in which a large body has to be sent, too.
    /// It ends a response of which a byte arrives now and then. The error keeps what arrived
    /// ([`TransportError::partial`](crate::error::TransportError::partial)). Of a [`ResponseStream`](crate::stream::ResponseStream) it bounds the time to
    /// the head. A transport of your own has its own.
    #[must_use]
    pub fn attempt_timeout(mut self, attempt: Duration) -> Self {
        self.settings.travel.timeouts.attempt = attempt;
        self
    }

    /// Bounds the body of a response, in bytes. Default: 64 MiB. A body of another status code than 2xx has at most 1 MiB, and at most this.
    /// A [`ResponseStream`](crate::stream::ResponseStream) has no bound, and this is the bound of each of its events or lines.
    ///
    /// The built-in transport stops reading there; a whole response of another transport is checked before it is decoded. The call fails
    /// with [`TransportErrorKind::TooLarge`](crate::error::TransportErrorKind::TooLarge), and the error keeps the bytes up to the bound
    /// ([`TransportError::partial`](crate::error::TransportError::partial)).
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.settings.travel.bounds = Bounds::new(bytes);
        self
    }
}
