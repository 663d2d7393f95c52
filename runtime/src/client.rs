//! The client: who is called and with what, shared by everything that calls.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, Method};
use serde::de::DeserializeOwned;
use tracing::Instrument;

use crate::api::Api;
use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::credits::Credits;
use crate::error::Error;
use crate::ledger::Ledger;
use crate::pace::Pace;
use crate::price::PriceBook;
use crate::quotation::redact;
use crate::raw::RawCall;
use crate::receive::receive;
use crate::request::Request;
use crate::response::Response;
use crate::retry::RetryPolicy;
use crate::span;
use crate::transport::Transport;

/// A client of one API with one key. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
}

/// Everything that the clones of a client have in common.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) api: &'static Api,
    pub(crate) base_url: BaseUrl,
    pub(crate) key: Option<Arc<ApiKey>>,
    /// What every request carries, the key among it.
    pub(crate) headers: HeaderMap,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) retry: RetryPolicy,
    pub(crate) deadline: Duration,
    pub(crate) pace: Arc<Pace>,
    pub(crate) prices: Arc<PriceBook>,
    pub(crate) ledger: Ledger,
}

impl Client {
    pub(crate) fn new(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Makes a call and decodes its answer. How often it is attempted is up to the [`RetryPolicy`].
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] when the request cannot be sent, [`Error::Budget`] when the budget has no room for it and [`Error::Postponed`] when
    /// its turn would come too late: then nothing is sent. [`Error::Transport`] when there is no whole answer; [`Error::Status`] when its
    /// status is not 2xx, redirects included; [`Error::Decode`] when its status is, and its body is no `T`.
    pub async fn send<T: DeserializeOwned>(&self, request: Request) -> Result<Response<T>, Error> {
        let operation = request.operation();
        let span = span::call(&self.shared.base_url, operation);
        let call = async {
            let (answer, course) = self.shared.call(request).await?;
            receive(operation, self.shared.key.as_ref(), answer, course)
        };
        let result = call.instrument(span.clone()).await;
        span::end_call(&span, &result);
        result
    }

    /// A call of any endpoint, for what the document does not have. `path` starts with `/` and is encoded already.
    pub fn raw(&self, method: Method, path: impl Into<String>) -> RawCall {
        RawCall::new(self.clone(), &method, path.into())
    }

    /// The ledger that calls draw on.
    pub fn ledger(&self) -> &Ledger {
        &self.shared.ledger
    }

    /// A client whose calls draw on at most this much of the budget. It shares everything else, and what it spends is spent here too.
    #[must_use]
    pub fn scoped(&self, limit: Credits) -> Self {
        Self::new(Shared {
            ledger: self.shared.ledger.scoped(limit),
            ..Shared::clone(&self.shared)
        })
    }
}

impl Client {
    /// A text of the service's, without the key.
    pub(crate) fn redact(&self, text: &str) -> String {
        redact(text, self.shared.key.as_deref())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("api", &self.shared.api.name)
            .field("base_url", &self.shared.base_url)
            .finish_non_exhaustive()
    }
}
