//! What all calls of a client have in common.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderValue};

use crate::call::limiter::Limiter;
use crate::call::receive::conceal_headers;
use crate::call::retry_budget::RetryBudget;
use crate::credentials::wallet::Wallet;
use crate::document::api::Api;
use crate::error::ConfigurationError;
use crate::interceptor::Interceptor;
use crate::request::client_headers::ClientHeaders;
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::secret::quotation::redact;
use crate::transport::base_url::BaseUrl;
use crate::transport::bounds::Bounds;
use crate::transport::transport::Transport;

/// How long a call waits and is attempted again where no deadline is stated.
pub(crate) const DEADLINE: Duration = Duration::from_secs(300);

/// Everything that the clones of a client have in common.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) api: &'static Api,
    pub(crate) base_url: BaseUrl,
    /// Other addresses that the caller gave, by those of the document, which end without a slash.
    pub(crate) servers: Arc<[(String, BaseUrl)]>,
    pub(crate) wallet: Arc<Wallet>,
    /// Headers of every request, without its credentials.
    pub(crate) headers: ClientHeaders,
    pub(crate) transport: Arc<dyn Transport>,
    /// How large the body of an error, or one item of a stream, may be.
    pub(crate) bounds: Bounds,
    pub(crate) retry: RetryPolicy,
    pub(crate) retries: Arc<RetryBudget>,
    /// Of a call, if the caller states one. Otherwise only its waits and retries end after [`DEADLINE`].
    pub(crate) deadline: Option<Duration>,
    pub(crate) is_detached: bool,
    pub(crate) pace: Arc<Limiter>,
    /// What stands around each attempt.
    pub(crate) interceptor: Option<Arc<dyn Interceptor>>,
}

impl Engine {
    /// Removes the secrets of the client from a text that the service sent.
    pub(crate) fn redact(&self, text: &str) -> String {
        redact(text, self.wallet.secrets().as_deref())
    }

    /// Conceals response headers that contain the key.
    pub(crate) fn guard(&self, headers: &mut HeaderMap) {
        if let Some(secrets) = self.wallet.secrets() {
            conceal_headers(headers, &secrets);
        }
    }

    /// Where a request goes: to the base URL, or to an address that the document gives to its operation. A document may come from anyone,
    /// and no credentials go to an origin that only the document names: the caller names it too.
    pub(crate) fn address(
        &self,
        request: &Request,
    ) -> Result<Cow<'_, BaseUrl>, ConfigurationError> {
        let Some(own) = request.server else {
            return Ok(Cow::Borrowed(&self.base_url));
        };
        let documented = own.url.trim_end_matches('/');
        let mut named = self.servers.iter();
        if let Some((_, address)) = named.find(|(server, _)| server == documented) {
            return Ok(Cow::Borrowed(address));
        }
        let parsed = BaseUrl::parse(own.url, &[])?;
        let is_base = |server: &&str| {
            BaseUrl::parse(server, &[]).is_ok_and(|server| server.is_of_origin(&self.base_url))
        };
        // The transport of a client with a plain base URL uses no proxy of the environment, and an address of the document that is plain is
        // on this machine.
        let is_safe = !parsed.is_plain_text() || self.base_url.is_plain_text();
        let is_open = || !self.has_credentials(request) && own.beside.iter().any(is_base);
        if is_safe && (parsed.is_of_origin(&self.base_url) || is_open()) {
            return Ok(Cow::Owned(parsed));
        }
        Err(ConfigurationError::OwnServer {
            operation: request.operation().id,
            server: own.url,
        })
    }

    /// Whether a call takes a credential along: of the API, or in a header that the caller adds.
    fn has_credentials(&self, request: &Request) -> bool {
        let mut usual = self.headers.usual.values();
        usual.any(HeaderValue::is_sensitive)
            || request.extras.has_credential()
            || self.wallet.has(request.security)
    }
}
