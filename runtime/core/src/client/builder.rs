//! Client set-up from arguments or the environment, with all checks.

use std::env::{self, VarError};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "cache")]
use crate::cache::Cache;
use crate::call::engine::Engine;
use crate::call::interceptors::Interceptors;
use crate::call::limiter::Limiter;
use crate::call::retry_budget::RetryBudget;
use crate::client::api_client::ApiClient;
use crate::client::client::Client;
use crate::client::environment;
use crate::client::http_settings::HttpSettings;
use crate::client::raw;
use crate::credentials::credential::Credential;
use crate::credentials::store::{self, CredentialStore};
#[cfg(feature = "tokens")]
use crate::credentials::token::TokenProvider;
use crate::document::api::Api;
use crate::error::{ConfigurationError, Error};
use crate::interceptor::Interceptor;
use crate::request::options::RetryPolicy;
use crate::values::SecretText;

const IN_FLIGHT: usize = 8;

/// Sets up a client. `C` is the client that [`build`](Self::build) returns: the generated one, which wraps [`Client`].
///
/// # Defaults
///
/// | setting | method | default |
/// |---|---|---|
/// | retries | [`retry`](Self::retry) | [`RetryPolicy::Standard`], at most three attempts |
/// | deadline of a call: waits, attempts and retries | [`deadline`](Self::deadline) | 300 s for waits and retries |
/// | calls in flight | [`max_in_flight`](Self::max_in_flight) | 8 |
/// | finish calls whose future is dropped | [`detached`](Self::detached) | no |
/// | time to connect | [`connect_timeout`](Self::connect_timeout) | 5 s |
/// | idle time of the service | [`read_timeout`](Self::read_timeout) | 60 s |
/// | one attempt | [`attempt_timeout`](Self::attempt_timeout) | 300 s |
/// | size of a response | [`max_response_bytes`](Self::max_response_bytes) | 64 MiB, and 1 MiB for other status codes than 2xx |
/// | `User-Agent` | [`user_agent`](Self::user_agent) | name and version of the generated crate |
/// | headers of every call | [`default_header`](Self::default_header) | only `Accept` and `User-Agent` |
/// | plain `http` | [`allow_plain_http`](Self::allow_plain_http) | to this machine only |
/// | proxy | `http`, with the feature `unstable-reqwest` | `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` of the environment; none for plain `http` |
/// | root certificates, DNS, connection pool | `http` | those of reqwest |
/// | redirects, compression, HTTP/2, idle connections | [see below](#the-built-in-transport) | depends on the interceptor |
/// | transport | [`transport`](Self::transport), [`wrap`](Self::wrap) | the built-in one |
///
/// A call can override its retries, deadline and detachment.
///
/// # The built-in transport
///
/// Requests are sent as follows without a custom [`transport`](Self::transport), regardless of the reqwest features that the rest of the
/// program enables:
///
/// | option | an API without an interceptor | with one | reason |
/// |---|---|---|---|
/// | [`follow_redirects`](Self::follow_redirects) | GET and HEAD, at most 10 | no | each request may count, and an interceptor sees only the last response |
/// | `compression`, with the feature | gzip, Brotli, Zstandard | no | an interceptor reads the bytes unchanged, even of a truncated body |
/// | `http2`, with the feature | if the service offers it | HTTP/1.1 | one request at a time on a connection: if it breaks, only one call is in doubt |
/// | [`pool_idle_timeout`](Self::pool_idle_timeout) | 90 s | 1 s | a request that is sent while the service closes an idle connection may be lost or processed: its result is unknown |
///
/// - By default gunicorn closes idle connections after 2 seconds, Apache, Node.js and uvicorn after 5, an AWS load balancer after 60, nginx
///   after 75.
/// - No cookies, no `Referer`, no retries inside the transport.
/// - TLS through rustls; without the TLS features, `https` addresses are refused. The proxy of the environment is used, except for this
///   machine.
pub struct ClientBuilder<C = Client> {
    pub(super) settings: Settings,
    client: PhantomData<fn() -> C>,
}

/// The settings so far. They are not part of the generic type, so that generated crates compile none of the code that uses them.
pub(super) struct Settings {
    api: &'static Api,
    base_url: String,
    servers: Vec<(String, String)>,
    credentials: Vec<Credential>,
    /// A key was given for none of the schemes, or for one of several: why it cannot be used.
    misplaced: Option<&'static str>,
    pub(super) http: HttpSettings,
    retry: RetryPolicy,
    deadline: Option<Duration>,
    in_flight: usize,
    is_detached: bool,
    interceptors: Interceptors,
    #[cfg(feature = "cache")]
    cache: Option<Cache>,
}

impl<C: ApiClient> ClientBuilder<C> {
    /// Starts the set-up of a client of this API at this base URL.
    ///
    /// Paths are appended to it, with or without a slash at its end. It must be `https`, or `http` to this machine, without credentials,
    /// query and fragment; [`build`](Self::build) checks that.
    pub fn new(api: &'static Api, base_url: impl Into<String>) -> Self {
        Settings::new(api, base_url.into()).into_builder()
    }

    /// Starts with environment variables: `{PREFIX}_BASE_URL` and the credentials, with the API's prefix. The base URL may be missing if
    /// the document names [one](Api::base_url): the first is taken.
    ///
    /// If the API has one key and all operations use it, `{PREFIX}_API_KEY` is required. Otherwise each scheme has its
    /// [`variable`](crate::document::Scheme::variable); a variable that is not set is a credential that the client lacks.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] names the variable that is missing, empty or not Unicode. [`build`](Self::build) checks its value.
    pub fn from_env(api: &'static Api) -> Result<Self, Error> {
        Self::from_variables(api, |name| env::var(name))
    }

    /// Works like [`from_env`](Self::from_env), with variables that `read` looks up.
    ///
    /// # Errors
    ///
    /// Those of [`from_env`](Self::from_env).
    pub fn from_variables(
        api: &'static Api,
        read: impl Fn(&str) -> Result<String, VarError>,
    ) -> Result<Self, Error> {
        let (base_url, credentials) = environment::read(api, &read)?;
        let mut settings = Settings::new(api, base_url);
        settings.credentials = credentials;
        Ok(settings.into_builder())
    }

    /// Sets the API key of an API with one security scheme: the key, the bearer token, or the complete value of the header. It is sent with
    /// every request that needs it, and never shown.
    pub fn api_key(self, key: impl Into<SecretText>) -> Self {
        let key = key.into();
        self.with_only_scheme(move |scheme| Credential::text(scheme, key))
    }

    /// Sets the provider of bearer tokens, for an API with one security scheme.
    #[cfg(feature = "tokens")]
    pub fn token_provider(self, provider: impl TokenProvider) -> Self {
        self.with_only_scheme(move |scheme| Credential::provider(scheme, provider))
    }

    /// Adds a credential for one security scheme of the API. A call uses the first security alternative of its operation for which the
    /// client has all credentials. If there is none, it fails with [`Error::Credential`].
    pub fn credential(mut self, credential: Credential) -> Self {
        self.settings.credentials.push(credential);
        self
    }

    /// Adds a credential of the only scheme; [`build`](Self::build) reports if there is none or more than one.
    fn with_only_scheme(mut self, credential: impl FnOnce(&'static str) -> Credential) -> Self {
        match store::schemes(self.settings.api.auth).0.as_slice() {
            [scheme] => return self.credential(credential(scheme.name)),
            [] => {
                self.settings.misplaced = Some(
                    "is for no security scheme: the document of the API names none for its operations",
                )
            }
            _ => {
                self.settings.misplaced = Some(
                    "is for one of several security schemes: give it by `ClientBuilder::credential`, which says for which",
                )
            }
        }
        self
    }

    /// Replaces the documented address of operations that have their own server. They are called with their credentials. `address` may
    /// equal `documented`.
    ///
    /// Credentials are sent only to the scheme, host and port of the base URL and of these addresses. Without a replacement address, such a
    /// call fails with [`ConfigurationError::OwnServer`] before anything is sent. A call without credentials needs none if the base URL
    /// is a documented one. [`build`](Self::build) checks the address like the base URL.
    pub fn server(mut self, documented: impl Into<String>, address: impl Into<String>) -> Self {
        let documented = documented.into().trim_end_matches('/').to_owned();
        self.settings.servers.push((documented, address.into()));
        self
    }

    /// Adds an [interceptor](crate::interceptor) before that of the API, or replaces the one of its type.
    #[must_use]
    pub fn intercept<I: Interceptor>(mut self, interceptor: I) -> Self {
        self.settings.interceptors.put(interceptor);
        self
    }

    /// Changes the interceptor of this type, or adds the one that `make` returns.
    #[doc(hidden)]
    #[must_use]
    pub fn change_interceptor<I: Interceptor + Clone>(
        mut self,
        make: impl FnOnce(&'static Api) -> I,
        change: impl FnOnce(&mut I),
    ) -> Self {
        let present = self.settings.interceptors.get::<I>();
        let mut changed = present.cloned().unwrap_or_else(|| make(self.settings.api));
        change(&mut changed);
        self.settings.interceptors.put(changed);
        self
    }

    /// Sets whether an in-flight call finishes after its future is dropped. Default: no, dropping closes the connection. Such a call is not
    /// retried.
    #[must_use]
    pub fn detached(mut self, is_detached: bool) -> Self {
        self.settings.is_detached = is_detached;
        self
    }

    /// Sets the retry policy. Default: [`RetryPolicy::Standard`]. A call can override it.
    #[must_use]
    pub fn retry(mut self, retry: RetryPolicy) -> Self {
        self.settings.retry = retry;
        self
    }

    /// Limits the duration of a call: its waits, attempts and pauses. With zero, nothing is sent.
    ///
    /// The deadline cancels an in-flight attempt. With [`detached`](Self::detached), the attempt continues without its caller instead.
    ///
    /// Without a deadline, calls wait and are retried for 300 seconds, and an in-flight attempt then still finishes.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.settings.deadline = Some(deadline);
        self
    }

    /// Stores responses: a call that was made before is answered without a request, while its response is fresh. Default: none is stored.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn cache(mut self, cache: Cache) -> Self {
        self.settings.cache = Some(cache);
        self
    }

    /// Limits the in-flight calls of this client and its clones. Default: 8. A streamed response whose head
    /// has arrived does not count.
    #[must_use]
    pub fn max_in_flight(mut self, in_flight: usize) -> Self {
        self.settings.in_flight = in_flight;
        self
    }

    /// Checks everything and builds the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] if the base URL, a credential, the user agent or the HTTP set-up is invalid, or a setting names an operation
    /// that the API lacks.
    pub fn build(self) -> Result<C, Error> {
        self.settings.build().map(C::wrap)
    }
}

impl Settings {
    fn new(api: &'static Api, base_url: String) -> Self {
        Self {
            api,
            base_url,
            servers: Vec::new(),
            credentials: Vec::new(),
            misplaced: None,
            http: HttpSettings::new(api),
            retry: RetryPolicy::default(),
            deadline: None,
            in_flight: IN_FLIGHT,
            is_detached: false,
            interceptors: Interceptors::new(api.interceptor.map(|make| make())),
            #[cfg(feature = "cache")]
            cache: None,
        }
    }

    fn into_builder<C>(self) -> ClientBuilder<C> {
        ClientBuilder {
            settings: self,
            client: PhantomData,
        }
    }

    fn build(self) -> Result<Client, Error> {
        let base_url = self.http.address(&self.base_url)?;
        if let Some(problem) = self.misplaced {
            return Err(ConfigurationError::ApiKey { problem }.into());
        }
        self.check_operations()?;
        if let Some(problem) = self.interceptors.problem() {
            return Err(ConfigurationError::Interceptor { problem }.into());
        }
        let store = CredentialStore::new(self.api.auth, self.credentials)?;
        let mut servers = Vec::new();
        for (documented, address) in self.servers {
            let address = self.http.address(&address)?;
            servers.push((documented, address));
        }
        let named = servers.iter().map(|(_, address)| address);
        let (plain, encrypted): (Vec<_>, Vec<_>) = named
            .chain([&base_url])
            .partition(|address| address.is_plain_text());
        let (is_plain_text, is_encrypted) = (!plain.is_empty(), !encrypted.is_empty());
        let bounds = self.http.bounds;
        let headers = self.http.headers(self.api.auth)?;
        let trace_context = self.http.trace_context.clone();
        let transport = self.http.transport(is_plain_text, is_encrypted)?;
        let client = Client::new(Engine {
            api: self.api,
            base_url,
            servers: servers.into(),
            credentials: Arc::new(store),
            headers,
            transport,
            bounds,
            retry: self.retry,
            retries: Arc::new(RetryBudget::full()),
            deadline: self.deadline,
            is_detached: self.is_detached,
            limiter: Arc::new(Limiter::new(self.in_flight)),
            trace_context,
            interceptors: self.interceptors,
        });
        Ok(Client {
            #[cfg(feature = "cache")]
            cache: self.cache,
            ..client
        })
    }

    /// Checks that the API has each operation that a setting names.
    fn check_operations(&self) -> Result<(), ConfigurationError> {
        let known = self.api.operations;
        let mut named = self.interceptors.named_operations();
        match named.find(|id| !known.contains(id) && *id != raw::ID) {
            None => Ok(()),
            Some(id) => Err(ConfigurationError::UnknownOperation {
                id: id.to_owned(),
                known,
            }),
        }
    }
}

impl<C> fmt::Debug for ClientBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.settings;
        f.debug_struct("ClientBuilder")
            .field("api", &settings.api.name)
            .field("base_url", &settings.http.address(&settings.base_url))
            .field("user_agent", &settings.http.user_agent)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
