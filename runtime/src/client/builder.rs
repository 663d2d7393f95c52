//! Setting up a client: from arguments or the environment, through every check, to something that can only make valid requests.

use std::env;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, HeaderValue, USER_AGENT};
use http::{HeaderMap, StatusCode};
use secrecy::SecretString;

use crate::call::engine::Engine;
use crate::call::limiter::{LONGEST_COOL_DOWN, Limiter};
use crate::call::prices::PriceBook;
use crate::client::client::Client;
use crate::client::environment;
use crate::credentials::credential::Credential;
use crate::credentials::token::TokenProvider;
use crate::credentials::wallet::{self, Wallet};
use crate::document::api::Api;
use crate::error::{ConfigurationError, Error};
use crate::money::credits::Credits;
use crate::money::ledger::Ledger;
use crate::request::options::RetryPolicy;
use crate::transport::base_url::BaseUrl;
use crate::transport::bounds::{Bounded, Bounds};
use crate::transport::network::Network;
use crate::transport::timeouts::Timeouts;
use crate::transport::transport::Transport;

const DEADLINE: Duration = Duration::from_secs(300);
const IN_FLIGHT: usize = 8;

/// Sets up a client. `C` is the client that [`build`](Self::build) returns: the generated one, which wraps [`Client`].
///
/// # The built-in transport
///
/// Without a [`transport`](Self::transport) of your own, requests travel like this, whatever features of reqwest the rest of the program
/// turns on:
///
/// - HTTP/1.1 only, one request at a time on a connection: a connection that breaks puts one call at risk. On HTTP/2 it would be all.
/// - No compression: bodies are bounded and kept as they arrived.
/// - No redirects, no cookies, no `Referer`, no retries of its own.
/// - A connection that was idle for one second is not reused. Servers close idle connections: by default gunicorn after 2 seconds, Apache,
///   Node.js and uvicorn after 5, an AWS load balancer after 60, nginx after 75. A request sent at that moment is lost, and its outcome is
///   unknown.
/// - TLS through rustls; the proxy that the environment names, except to this machine.
pub struct ClientBuilder<C = Client> {
    api: &'static Api,
    base_url: Result<BaseUrl, ConfigurationError>,
    servers: Vec<(String, Result<BaseUrl, ConfigurationError>)>,
    credentials: Vec<Credential>,
    /// A key was given without saying for which of several schemes.
    is_ambiguous: bool,
    user_agent: String,
    transport: Option<Arc<dyn Transport>>,
    timeouts: Timeouts,
    bounds: Bounds,
    retry: RetryPolicy,
    deadline: Duration,
    in_flight: usize,
    longest_cool_down: Duration,
    assumed_price: Option<Credits>,
    unbilled: Vec<StatusCode>,
    is_detached: bool,
    ledger: Ledger,
    client: PhantomData<fn() -> C>,
}

impl<C: From<Client>> ClientBuilder<C> {
    /// Starts to set up a client of this API at this base URL.
    ///
    /// Paths are appended to it, with or without a slash at its end. It must be `https`, or `http` to this machine, without credentials,
    /// query and fragment; [`build`](Self::build) checks that.
    pub fn new(api: &'static Api, base_url: impl Into<String>) -> Self {
        Self {
            api,
            base_url: BaseUrl::parse(&base_url.into()),
            servers: Vec::new(),
            credentials: Vec::new(),
            is_ambiguous: false,
            user_agent: format!("{}/{}", api.name, api.version),
            transport: None,
            timeouts: Timeouts::default(),
            bounds: Bounds::default(),
            retry: RetryPolicy::default(),
            deadline: DEADLINE,
            in_flight: IN_FLIGHT,
            longest_cool_down: LONGEST_COOL_DOWN,
            assumed_price: None,
            unbilled: Vec::new(),
            is_detached: false,
            ledger: Ledger::unlimited(),
            client: PhantomData,
        }
    }

    /// Starts with environment variables: `{PREFIX}_BASE_URL` and those of the credentials. The prefix is the API's.
    ///
    /// An API with one key, of which all operations make use, requires `{PREFIX}_API_KEY`. Otherwise each scheme has its
    /// [`variable`](crate::Scheme::variable), and those that are not set are credentials that the client does not have.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] names the variable that is missing, empty or not Unicode. [`build`](Self::build) checks its value.
    pub fn from_env(api: &'static Api) -> Result<Self, Error> {
        let (base_url, credentials) = environment::read(api, |name| env::var(name))?;
        Ok(Self {
            credentials,
            ..Self::new(api, base_url)
        })
    }

    /// Sets the API key, of an API that has one security scheme: the key, the bearer token, or the whole value of the header. It is sent
    /// with every request that wants it, and shown nowhere.
    pub fn api_key(self, key: impl Into<SecretString>) -> Self {
        let key = key.into();
        self.the_one(move |scheme| Credential::text(scheme, key))
    }

    /// Sets what obtains and refreshes the bearer token, of an API that has one security scheme.
    pub fn token_provider(self, provider: impl TokenProvider) -> Self {
        self.the_one(move |scheme| Credential::provider(scheme, provider))
    }

    /// Adds a credential, for one security scheme of the API. Each call takes along the first of the alternatives of its operation of which
    /// the client has everything, and a call without one fails with [`Error::Credential`].
    pub fn credential(mut self, credential: Credential) -> Self {
        self.credentials.push(credential);
        self
    }

    /// A credential of the only scheme; [`build`](Self::build) says when there is none or more than one.
    fn the_one(mut self, credential: impl FnOnce(&'static str) -> Credential) -> Self {
        match wallet::schemes(self.api.auth).0.as_slice() {
            [scheme] => return self.credential(credential(scheme.name)),
            // An API without keys ignores one, which may come from a configuration for several APIs.
            [] => {}
            _ => self.is_ambiguous = true,
        }
        self
    }

    /// Names where to call the operations that the document places at `documented`, an address other than the API's. They are called with
    /// their credentials.
    ///
    /// A client of a documented base URL needs it only for another address. With another base URL, of a test or of a gateway, such an
    /// operation fails with [`ConfigurationError::OwnServer`] until its address is named. [`build`](Self::build) checks it as the base URL.
    pub fn server(mut self, documented: impl Into<String>, address: impl Into<String>) -> Self {
        let documented = documented.into().trim_end_matches('/').to_owned();
        self.servers
            .push((documented, BaseUrl::parse(&address.into())));
        self
    }

    /// Replaces the `User-Agent`, which names the generated crate and its version.
    pub fn user_agent(self, user_agent: impl Into<String>) -> Self {
        Self {
            user_agent: user_agent.into(),
            ..self
        }
    }

    /// Replaces how requests reach the service: for tests, recordings, or another HTTP stack.
    pub fn transport(self, transport: impl Transport) -> Self {
        Self {
            transport: Some(Arc::new(transport)),
            ..self
        }
    }

    /// Bounds how long it takes to connect, TLS included. Default: 5 seconds, and at most the read and the attempt timeout. After it, nothing
    /// was sent. A transport of your own has its own.
    #[must_use]
    pub fn connect_timeout(mut self, connect: Duration) -> Self {
        self.timeouts.connect = connect;
        self
    }

    /// Sets the idle timeout: how long the service may send nothing, before its response and within. Default: 60 seconds, connecting
    /// included. After it, the rest of the response is lost, and whether the call was billed may be unknown. A transport of your own has its
    /// own.
    #[must_use]
    pub fn read_timeout(mut self, read: Duration) -> Self {
        self.timeouts.read = read;
        self
    }

    /// Bounds one attempt, from its start to the last byte of the response. Default: 300 seconds. It ends a response of which a byte arrives
    /// now and then. The error keeps what arrived
    /// ([`TransportError::partial`](crate::TransportError::partial)). Of a [`ResponseStream`](crate::ResponseStream) it bounds the time to
    /// the head. A transport of your own has its own.
    #[must_use]
    pub fn attempt_timeout(mut self, attempt: Duration) -> Self {
        self.timeouts.attempt = attempt;
        self
    }

    /// Bounds the body of a response, in bytes. Default: 64 MiB. A body of another status code than 2xx has at most 1 MiB, and at most this.
    /// A [`ResponseStream`](crate::ResponseStream) has no bound, and this is the bound of each of its events or lines.
    ///
    /// The built-in transport stops reading there; a whole response of another transport is checked before it is decoded. The call fails
    /// with [`TransportErrorKind::TooLarge`](crate::TransportErrorKind::TooLarge), and the error keeps the bytes up to the bound
    /// ([`TransportError::partial`](crate::TransportError::partial)).
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.bounds = Bounds::new(bytes);
        self
    }

    /// Bounds what the calls of this client and its clones can cost together. Without it they draw on an unlimited ledger.
    #[must_use]
    pub fn budget(self, limit: Credits) -> Self {
        self.ledger(Ledger::with_budget(limit))
    }

    /// Draws on this ledger, which other clients may draw on too.
    #[must_use]
    pub fn ledger(self, ledger: Ledger) -> Self {
        Self { ledger, ..self }
    }

    /// Reserves this much of the budget for each call of unknown price, instead of all that is left. It should be the most that such a call
    /// may cost: what one costs above it can exceed the budget by the difference.
    ///
    /// Without it, a call of unknown price waits until nothing else is in flight on the same budget, and holds everything up until it ends.
    #[must_use]
    pub fn assume_price(self, credits: Credits) -> Self {
        Self {
            assumed_price: Some(credits),
            ..self
        }
    }

    /// Names the statuses that are not billed by the provider's contract, such as `[StatusCode::NOT_FOUND]`. A response with one of them,
    /// and without a report of credits, gives back what was reserved for it; otherwise that stays at risk.
    #[must_use]
    pub fn unbilled(self, statuses: impl IntoIterator<Item = StatusCode>) -> Self {
        Self {
            unbilled: statuses.into_iter().collect(),
            ..self
        }
    }

    /// Sets whether a call in flight goes on to its end when its future is dropped: then its cost is known. Default: no. Dropping the future
    /// closes the connection, and what the call may have cost stays at risk. A call that goes on is not attempted again.
    #[must_use]
    pub fn detached(self, is_detached: bool) -> Self {
        Self {
            is_detached,
            ..self
        }
    }

    /// Bounds how long a 429 holds this client and its clones. Default: 5 minutes, whatever `Retry-After` says. After it, one call goes first
    /// and the others wait for its response. [`Client::end_cool_down`] ends a cool-down at once.
    #[must_use]
    pub fn max_cool_down(self, longest: Duration) -> Self {
        Self {
            longest_cool_down: longest,
            ..self
        }
    }

    /// Sets when calls are attempted again. Default: [`RetryPolicy::Unbilled`]. A call can override it.
    #[must_use]
    pub fn retry(self, retry: RetryPolicy) -> Self {
        Self { retry, ..self }
    }

    /// Bounds how long a call may wait and be attempted again. Default: 300 seconds. A response that is arriving by then is not cut off. With
    /// zero, nothing is sent.
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// Bounds how many calls of this client and its clones are in flight. Default: 8. A [`ResponseStream`](crate::ResponseStream) whose head
    /// has arrived does not count.
    #[must_use]
    pub fn max_in_flight(self, in_flight: usize) -> Self {
        Self { in_flight, ..self }
    }

    /// Checks everything and builds the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] says what is wrong with the base URL, the API key, the user agent, or the HTTP client's own set-up.
    pub fn build(self) -> Result<C, Error> {
        let base_url = self.base_url?;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let user_agent =
            HeaderValue::try_from(self.user_agent).map_err(|_| ConfigurationError::UserAgent)?;
        headers.insert(USER_AGENT, user_agent);

        if self.is_ambiguous {
            let problem = "is for one of several security schemes: give it by `ClientBuilder::credential`, which says for which";
            return Err(ConfigurationError::ApiKey { problem }.into());
        }
        let wallet = Wallet::new(self.api.auth, self.credentials)?;
        let servers = self.servers.into_iter();
        let servers = servers.map(|(documented, address)| Ok((documented, address?)));
        let servers: Vec<(String, BaseUrl)> = servers.collect::<Result<_, ConfigurationError>>()?;
        let transport: Arc<dyn Transport> = match self.transport {
            Some(transport) => Arc::new(Bounded {
                transport,
                bounds: self.bounds,
            }),
            None => {
                let mut others = servers.iter().map(|(_, address)| address);
                let plain_text = base_url.is_plain_text() || others.any(BaseUrl::is_plain_text);
                Arc::new(Network::new(plain_text, self.timeouts, self.bounds)?)
            }
        };
        Ok(Client::new(Engine {
            api: self.api,
            base_url,
            servers: servers.into(),
            wallet: Arc::new(wallet),
            usual_headers: HeaderMap::new(),
            headers,
            transport,
            bounds: self.bounds,
            retry: self.retry,
            deadline: self.deadline,
            unbilled: self.unbilled.into(),
            is_detached: self.is_detached,
            pace: Arc::new(Limiter::new(self.in_flight, self.longest_cool_down)),
            prices: Arc::new(PriceBook::new(self.assumed_price)),
            ledger: self.ledger,
        })
        .into())
    }
}

impl<C> fmt::Debug for ClientBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("api", &self.api.name)
            .field("base_url", &self.base_url)
            .field("user_agent", &self.user_agent)
            .finish_non_exhaustive()
    }
}
