//! Setting up a client: from arguments or the environment, through every check, to something that can only make valid requests.

use std::env::{self, VarError};
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
use crate::document::api::{Api, Auth};
use crate::error::{ConfigurationError, Error};
use crate::money::credits::Credits;
use crate::money::ledger::Ledger;
use crate::request::options::RetryPolicy;
use crate::secret::key::{ApiKey, NoKey};
use crate::transport::auth::header;
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
    api_key: Option<SecretString>,
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
            api_key: None,
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

    /// Starts with the environment variables `{PREFIX}_BASE_URL` and `{PREFIX}_API_KEY`; the prefix is the API's.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] names the variable that is missing, empty or not Unicode. [`build`](Self::build) checks its value.
    pub fn from_env(api: &'static Api) -> Result<Self, Error> {
        Self::from_variables(api, |name| env::var(name))
    }

    fn from_variables(
        api: &'static Api,
        read: impl Fn(&str) -> Result<String, VarError>,
    ) -> Result<Self, Error> {
        let require = |suffix, expected| {
            let variable = format!("{}_{suffix}", api.environment);
            match read(&variable) {
                Ok(value) if !value.is_empty() => Ok(value),
                Ok(_) | Err(VarError::NotPresent) => {
                    Err(ConfigurationError::MissingVariable { variable, expected })
                }
                Err(VarError::NotUnicode(_)) => {
                    Err(ConfigurationError::UnreadableVariable { variable })
                }
            }
        };
        let base_url = require(
            "BASE_URL",
            "the address of the API, such as https://api.example.com",
        )?;
        let builder = Self::new(api, base_url);
        match api.auth {
            Auth::None => Ok(builder),
            Auth::Header(_) | Auth::Bearer => {
                Ok(builder.api_key(require("API_KEY", "your API key")?))
            }
        }
    }

    /// Sets the API key. It is sent with every request and shown nowhere.
    pub fn api_key(self, key: impl Into<SecretString>) -> Self {
        Self {
            api_key: Some(key.into()),
            ..self
        }
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
    /// ([`TransportError::partial`](crate::TransportError::partial)). A transport of your own has its own.
    #[must_use]
    pub fn attempt_timeout(mut self, attempt: Duration) -> Self {
        self.timeouts.attempt = attempt;
        self
    }

    /// Bounds the body of a response, in bytes. Default: 64 MiB. A body of another status code than 2xx has at most 1 MiB, and at most this.
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

    /// Bounds how many calls of this client and its clones are in flight. Default: 8.
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

        let key = self.api_key.map(ApiKey::parse).transpose();
        let key = key.map_err(|NoKey(problem)| ConfigurationError::ApiKey { problem })?;
        match &key {
            Some(key) => headers.extend(header(key, self.api.auth)?),
            None if self.api.auth == Auth::None => {}
            None => {
                let problem = "is missing";
                return Err(ConfigurationError::ApiKey { problem }.into());
            }
        }
        let transport: Arc<dyn Transport> = match self.transport {
            Some(transport) => Arc::new(Bounded {
                transport,
                bounds: self.bounds,
            }),
            None => {
                let plain_text = base_url.is_plain_text();
                Arc::new(Network::new(plain_text, self.timeouts, self.bounds)?)
            }
        };
        Ok(Client::new(Engine {
            api: self.api,
            base_url,
            key: key.map(Arc::new),
            headers,
            transport,
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

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    static API: Api = Api {
        name: "example",
        version: "1.2.3",
        environment: "EXAMPLE",
        auth: Auth::Bearer,
        charge: None,
    };
    static OPEN_API: Api = Api {
        auth: Auth::None,
        environment: "OPEN",
        ..API
    };

    fn from_variables(
        api: &'static Api,
        variables: &'static [(&str, &str)],
    ) -> Result<Client, Error> {
        let read = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found
                .map(|(_, value)| value.to_string())
                .ok_or(VarError::NotPresent)
        };
        // Not the network, which with some features needs more to be set up.
        ClientBuilder::from_variables(api, read)?
            .transport(|_| async { Ok(http::Response::default()) })
            .build()
    }

    #[test]
    fn the_environment_sets_up_a_client() {
        let variables = &[
            ("EXAMPLE_BASE_URL", "https://h/api/"),
            ("EXAMPLE_API_KEY", "canary"),
        ];
        let client = from_variables(&API, variables).unwrap();
        assert!(format!("{client:?}").contains("https://h/api"));
    }

    #[test]
    fn a_missing_variable_is_named_with_what_belongs_in_it() {
        let error = from_variables(&API, &[("EXAMPLE_API_KEY", "k")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`EXAMPLE_BASE_URL` is missing or empty: set it to the address of the API, such as https://api.example.com",
        );
        let variables = &[("EXAMPLE_BASE_URL", "https://h"), ("EXAMPLE_API_KEY", "")];
        assert_eq!(
            from_variables(&API, variables).unwrap_err().to_string(),
            "`EXAMPLE_API_KEY` is missing or empty: set it to your API key",
        );
    }

    #[test]
    fn a_variable_that_is_not_text_is_named_and_not_shown() {
        let read = |_: &str| Err(VarError::NotUnicode(OsString::from("canary")));
        let error = ClientBuilder::<Client>::from_variables(&API, read).unwrap_err();
        assert_eq!(error.to_string(), "`EXAMPLE_BASE_URL` is not valid Unicode");
        assert!(!format!("{error:?}").contains("canary"));
    }

    #[test]
    fn an_api_without_keys_asks_for_none() {
        from_variables(&OPEN_API, &[("OPEN_BASE_URL", "https://h")]).unwrap();
        assert!(from_variables(&API, &[("EXAMPLE_BASE_URL", "https://h")]).is_err());
    }
}
