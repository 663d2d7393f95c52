//! The client: who is called and with what, shared by everything that calls.

use std::fmt;
use std::sync::Arc;

use http::HeaderMap;

use crate::api::Api;
use crate::api_key::ApiKey;
use crate::base_url::BaseUrl;
use crate::error::Error;
use crate::receive::receive;
use crate::request::Request;
use crate::response::{Metered, Response};
use crate::transport::Transport;

/// A client of one API with one key. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    api: &'static Api,
    base_url: BaseUrl,
    key: Option<ApiKey>,
    /// What every request carries, the key among it.
    headers: HeaderMap,
    transport: Box<dyn Transport>,
}

impl Client {
    pub(crate) fn new(
        api: &'static Api,
        base_url: BaseUrl,
        key: Option<ApiKey>,
        headers: HeaderMap,
        transport: Box<dyn Transport>,
    ) -> Self {
        let shared = Arc::new(Shared {
            api,
            base_url,
            key,
            headers,
            transport,
        });
        Self { shared }
    }

    /// Sends a request, once, and decodes its answer.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] when the request cannot be sent, and nothing is; [`Error::Transport`] when there is no whole answer;
    /// [`Error::Status`] when its status is not 2xx, redirects included; [`Error::Decode`] when its status is, and its body is no `T`.
    pub async fn send<T: Metered>(&self, request: Request) -> Result<Response<T>, Error> {
        let Shared {
            base_url,
            key,
            headers,
            transport,
            ..
        } = &*self.shared;
        let operation = request.operation();
        let message = request.into_http(base_url, headers)?;
        let answer = transport
            .send(message)
            .await
            .map_err(|error| error.during(operation))?;
        receive(operation, key.as_ref(), answer)
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
