//! An API with a key, and a transport that responds from memory and remembers the requests.

use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError};

use generated_client::document::{Api, Auth, Operation, Tariff};
use generated_client::error::TransportError;
use generated_client::transport::Transport;
use generated_client::{Bytes, Client, ClientBuilder, Credits, Error, Method, StatusCode, http};

pub(crate) const KEY: &str = "canary-4711";

/// The highest price of `scripted_client::PAID`, which has the highest of all.
pub(crate) const DEAREST: Credits = Credits::from_micros(3_000_000);

pub(crate) static API: Api = Api {
    auth: Auth::Header("x-api-key"),
    interceptor: Some(|| generated_client::meter(Some("cost"), Some(DEAREST))),
    operations: &["listThings", "paid", "free", "freePost", "unknown", "sized"],
    ..Api::new("example", "1.2.3", "EXAMPLE")
};

pub(crate) static LIST: Operation = Operation {
    id: "listThings",
    method: Method::GET,
    path: "/v1/things",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

/// The requests that a transport received, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<http::Request<Bytes>>>>);

impl Log {
    pub(crate) fn take(&self) -> Vec<http::Request<Bytes>> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn push(&self, request: http::Request<Bytes>) {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
    }
}

/// Returns a transport that gives every request the same response.
pub(crate) fn responding(log: &Log, status: StatusCode, body: impl Into<Bytes>) -> impl Transport {
    let (log, body) = (log.clone(), body.into());
    move |request: http::Request<Bytes>| {
        log.push(request);
        let mut response = http::Response::new(body.clone());
        *response.status_mut() = status;
        async { Ok::<_, TransportError>(response) }
    }
}

/// Sets up a client of [`API`] on that transport.
pub(crate) fn builder(transport: impl Transport) -> ClientBuilder {
    let builder = ClientBuilder::new(&API, "https://example.com").api_key(KEY);
    builder.transport(transport)
}

/// Returns a client of [`API`] on that transport.
pub(crate) fn client(transport: impl Transport) -> Result<Client, Error> {
    ClientBuilder::new(&API, "https://example.com/base/")
        .api_key(KEY)
        .transport(transport)
        .build()
}

/// Returns all messages of an error and of its sources, as `Display` and as `Debug`.
pub(crate) fn shown_of(error: &Error) -> String {
    let mut shown = format!("{error} {error:?} {error:#?}");
    let mut source = match error.of_call() {
        Error::Transport(error) => Some(error.cause() as _),
        other => other.source(),
    };
    while let Some(error) = source {
        shown.push_str(&format!(" {error} {error:?} {error:#?}"));
        source = error.source();
    }
    shown
}
