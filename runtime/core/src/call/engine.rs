//! The state that all calls of a client share.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderValue};

use crate::call::interceptors::Interceptors;
use crate::call::limiter::Limiter;
use crate::call::receive::conceal_headers;
use crate::call::retry_budget::RetryBudget;
use crate::call::trace_context::TraceContext;
use crate::credentials::store::CredentialStore;
use crate::document::api::Api;
use crate::error::ConfigurationError;
use crate::request::client_headers::ClientHeaders;
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::secret::quotation::redact;
use crate::transport::base_url::BaseUrl;
use crate::transport::bounds::Bounds;
use crate::transport::transport::Transport;

/// The time limit for waits and retries of a call without a deadline.
pub(crate) const DEADLINE: Duration = Duration::from_secs(300);

/// The state that all clones of a client share.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) api: &'static Api,
    pub(crate) base_url: BaseUrl,
    /// Replacement addresses set by the caller, by the documented address without a trailing slash.
    pub(crate) servers: Arc<[(String, BaseUrl)]>,
    pub(crate) credentials: Arc<CredentialStore>,
    /// Headers of every request, without its credentials.
    pub(crate) headers: ClientHeaders,
    pub(crate) transport: Arc<dyn Transport>,
    /// Size limits of error bodies and of stream items.
    pub(crate) bounds: Bounds,
    pub(crate) retry: RetryPolicy,
    pub(crate) retries: Arc<RetryBudget>,
    /// The deadline of a call, if the caller states one. Otherwise only waits and retries end, after [`DEADLINE`].
    pub(crate) deadline: Option<Duration>,
    pub(crate) is_detached: bool,
    pub(crate) limiter: Arc<Limiter>,
    pub(crate) trace_context: Option<TraceContext>,
    pub(crate) interceptors: Interceptors,
}

impl Engine {
    /// Removes the client's secrets from a string that the service sent.
    pub(crate) fn redact(&self, text: &str) -> String {
        redact(text, self.credentials.secrets().as_deref())
    }

    /// Conceals response headers that contain the key.
    pub(crate) fn guard(&self, headers: &mut HeaderMap) {
        if let Some(secrets) = self.credentials.secrets() {
            conceal_headers(headers, &secrets);
        }
    }

    /// Returns the address of a request: the base URL, or the documented address of its operation. Documents are untrusted, so credentials
    /// go only to origins that the caller names.
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
        // With a plain base URL, the transport uses no proxy from the environment, and a plain documented address is on this machine.
        let is_safe = !parsed.is_plain_text() || self.base_url.is_plain_text();
        let is_open = !self.has_credentials(request)
            && own.beside.iter().any(|server| {
                BaseUrl::parse(server, &[]).is_ok_and(|server| server.is_of_origin(&self.base_url))
            });
        if is_safe && (parsed.is_of_origin(&self.base_url) || is_open) {
            return Ok(Cow::Owned(parsed));
        }
        Err(ConfigurationError::OwnServer {
            operation: request.operation().id,
            server: own.url,
        })
    }

    /// Returns whether a call sends credentials: those of the API, or a header that the caller adds.
    fn has_credentials(&self, request: &Request) -> bool {
        let mut usual = self.headers.usual.values();
        usual.any(HeaderValue::is_sensitive)
            || request.options.extras.has_credential()
            || self.credentials.has(request.security)
    }
}
