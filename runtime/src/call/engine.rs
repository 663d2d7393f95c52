//! What all calls of a client have in common.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, StatusCode};

use crate::call::limiter::Limiter;
use crate::call::prices::PriceBook;
use crate::call::receive::conceal_headers;
use crate::document::api::Api;
use crate::money::ledger::Ledger;
use crate::request::options::RetryPolicy;
use crate::secret::key::ApiKey;
use crate::secret::quotation::redact;
use crate::transport::base_url::BaseUrl;
use crate::transport::transport::Transport;

/// Everything that the clones of a client have in common.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) api: &'static Api,
    pub(crate) base_url: BaseUrl,
    pub(crate) key: Option<Arc<ApiKey>>,
    /// Headers of every request, including the key.
    pub(crate) headers: HeaderMap,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) retry: RetryPolicy,
    pub(crate) deadline: Duration,
    /// Status codes that the caller declared unbilled.
    pub(crate) unbilled: Arc<[StatusCode]>,
    pub(crate) is_detached: bool,
    pub(crate) pace: Arc<Limiter>,
    pub(crate) prices: Arc<PriceBook>,
    pub(crate) ledger: Ledger,
}

impl Engine {
    /// Removes the key from a text that the service sent.
    pub(crate) fn redact(&self, text: &str) -> String {
        redact(text, self.key.as_deref())
    }

    /// Conceals response headers that contain the key.
    pub(crate) fn guard(&self, headers: &mut HeaderMap) {
        if let Some(key) = self.key.as_deref() {
            conceal_headers(headers, key);
        }
    }
}
