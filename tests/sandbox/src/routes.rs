//! The steps of a call from its arrival to its response: path, method, key, arguments, data, price, bill.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{ConnectInfo, FromRequest, RawPathParams};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Json, Router};
use company_intel::Credits;
use fastrand::Rng;
use serde_json::Value;

use crate::arguments::{Arguments, Source};
use crate::bill::{Bill, charge, request_id};
use crate::calls::{Call, Latest};
use crate::data::World;
use crate::document::Document;
use crate::faults::{Connection, Fault, Script};
use crate::fitting::{self, Fitted, Shown};
use crate::made_up;
use crate::operation::{Operation, PRICE};
use crate::refusal::Refusal;

/// Prefix of the document's paths.
pub(crate) const PREFIX: &str = "/api";
const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
const PRICE_HEADER: HeaderName = HeaderName::from_static("x-sandbox-price");
const DATA_HEADER: HeaderName = HeaderName::from_static("x-sandbox-data");

pub(crate) type Observer = Box<dyn Fn(&Call) + Send + Sync>;

pub(crate) struct Service {
    pub(crate) document: Document,
    /// Document that describes the responses, if it is another one.
    pub(crate) spoken: Option<Document>,
    /// Properties that occur in the sample data.
    pub(crate) shown: Shown,
    /// True if bodies are fitted to the document.
    pub(crate) fits: bool,
    pub(crate) keys: Vec<String>,
    /// Balance of each key.
    pub(crate) balance: Option<Credits>,
    pub(crate) faults: Script,
    pub(crate) latency: RangeInclusive<Duration>,
    /// Timeout for the body of a request.
    pub(crate) patience: Duration,
    pub(crate) random: Mutex<Rng>,
    pub(crate) world: World,
    pub(crate) bill: Mutex<Bill>,
    pub(crate) latest: Mutex<Latest>,
    pub(crate) observer: Option<Observer>,
}

struct Request {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    path: Result<Vec<(String, String)>, Unread>,
    body: Result<Bytes, Unread>,
}

/// The reason why a part of a request could not be read: status and message.
type Unread = (StatusCode, String);

struct Success {
    body: Value,
    credits: Credits,
    /// Its place on the bill, from 1 on.
    number: usize,
    made_up: bool,
    /// Made-up properties of the body.
    fields: BTreeSet<String>,
}

/// Builds a route for each path of the document, with and without a slash at its end.
pub(crate) fn router(service: &Arc<Service>) -> Router {
    let mut paths: BTreeMap<String, Vec<Arc<Operation>>> = BTreeMap::new();
    for operation in &service.document.operations {
        let path = format!("{PREFIX}{}", operation.path.trim_end_matches('/'));
        paths.entry(path).or_default().push(operation.clone());
    }
    let mut router = Router::new();
    for (path, operations) in paths {
        let service = service.clone();
        let route = any(
            async move |path: Result<RawPathParams, RawPathParamsRejection>,
                        connection,
                        request: axum::extract::Request| {
                let (method, uri) = (request.method().clone(), request.uri().clone());
                let headers = request.headers().clone();
                let named = |(n, v): (&str, &str)| (n.to_owned(), v.to_owned());
                let request = Request {
                    method,
                    uri,
                    headers,
                    path: match path {
                        Ok(path) => Ok(path.iter().map(named).collect()),
                        Err(unread) => Err((unread.status(), unread.body_text())),
                    },
                    body: service.read(request).await,
                };
                let ConnectInfo(connection) = connection;
                service.answer(&operations, &request, &connection).await
            },
        );
        let slashed = format!("{path}/");
        router = router.route(&path, route.clone()).route(&slashed, route);
    }
    let service = service.clone();
    router.fallback(async move |method, uri, headers| {
        let request = Request {
            method,
            uri,
            headers,
            path: Ok(Vec::new()),
            body: Ok(Bytes::new()),
        };
        service.answer(&[], &request, &Connection::default()).await
    })
}

impl Service {
    pub(crate) fn bill(&self) -> MutexGuard<'_, Bill> {
        self.bill.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the body, within the timeout.
    async fn read(&self, request: axum::extract::Request) -> Result<Bytes, Unread> {
        let body = tokio::time::timeout(self.patience, Bytes::from_request(request, &())).await;
        let late = || {
            let message = format!("the body did not come within {:?}", self.patience);
            (StatusCode::REQUEST_TIMEOUT, message)
        };
        body.map_err(|_| late())?
            .map_err(|unread| (unread.status(), unread.body_text()))
    }

    /// Draws a number from 0 to 1 for this call.
    fn draw(&self) -> f64 {
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        random.f64()
    }

    /// Responds after the pause and with the fault of the call. The call is executed, billed and logged before the pause, even if the client
    /// disconnects during it.
    async fn answer(
        &self,
        operations: &[Arc<Operation>],
        request: &Request,
        connection: &Connection,
    ) -> Response {
        let operation = operations.iter().find(|o| o.method == request.method);
        let fault = operation.and_then(|o| self.faults.next(&o.id, || self.draw()));
        let (least, most) = (*self.latency.start(), *self.latency.end());
        let latency = least + most.saturating_sub(least).mul_f64(self.draw());
        let pause = fault.as_ref().map_or(Duration::ZERO, Fault::pause);
        let (billed, mut response) = match &fault {
            Some(fault) if !fault.is_billed => {
                self.bill().refused += 1;
                (None, Response::default())
            }
            _ => self.handle(operations, request),
        };
        let status = fault.as_ref().and_then(Fault::replaced_status);
        let call = Call {
            method: request.method.to_string(),
            path: request.uri.path().to_owned(),
            status: status.unwrap_or(response.status()).as_u16(),
            credits: billed.map_or(Credits::ZERO, |(credits, _)| credits),
        };
        if let Some(observer) = &self.observer {
            observer(&call);
        }
        self.latest().add(call);
        tokio::time::sleep(latency.saturating_add(pause)).await;
        if let Some(fault) = &fault {
            response = fault.on(response, connection).await;
        }
        if let Some((_, number)) = billed
            && let Ok(id) = HeaderValue::from_str(&request_id(number))
        {
            response.headers_mut().insert(REQUEST_ID_HEADER, id);
        }
        response
    }

    /// Returns the response, and for what was billed the amount and the number.
    fn handle(
        &self,
        operations: &[Arc<Operation>],
        request: &Request,
    ) -> (Option<(Credits, usize)>, Response) {
        match self.respond(operations, request) {
            Ok(success) => (
                Some((success.credits, success.number)),
                success.into_response(),
            ),
            Err(refusal) => {
                self.bill().refused += 1;
                (None, refusal.into_response())
            }
        }
    }

    /// Responds to a call of these operations, all of the same path; none if the path is unknown.
    fn respond(
        &self,
        operations: &[Arc<Operation>],
        request: &Request,
    ) -> Result<Success, Refusal> {
        if operations.is_empty() {
            return Err(Refusal::not_found("the document has no such path"));
        }
        let Some(operation) = operations.iter().find(|o| o.method == request.method) else {
            let allowed: Vec<_> = operations.iter().map(|o| o.method.as_str()).collect();
            return Err(Refusal::method(&allowed.join(", ")));
        };
        let key = request.headers.get(&self.document.key_header);
        let mut keys = self.keys.iter();
        let is_it = |known: &String| key.map(HeaderValue::as_bytes) == Some(known.as_bytes());
        let Some(key) = keys.position(is_it) else {
            return Err(Refusal::key(self.document.key_header.as_str()));
        };
        let unread = |(status, message): &Unread| Refusal::unread(*status, message);
        let source = Source {
            path: request.path.as_ref().map_err(unread)?.clone(),
            query: request.uri.query().unwrap_or_default(),
            headers: &request.headers,
            body: request.body.as_ref().map_err(unread)?,
        };
        let arguments = Arguments::read(&self.document, operation, &source)?;
        let (credits, made_up) = charge(&operation.prices, &arguments);
        // The lock prevents other calls from spending the balance until this one is billed.
        let mut bill = self.bill();
        if let Some(left) = self.balance.map(|balance| bill.left(key, balance))
            && left < credits
        {
            return Err(Refusal::balance(left, credits));
        }
        let fitted = self.body(operation, &arguments)?;
        let Fitted {
            mut body,
            made_up: fields,
        } = fitted;
        if let Some(object) = body.as_object_mut() {
            if let (Some(paging), Some(page)) = (&operation.paging, &arguments.page) {
                object.extend(paging.echo(page));
            }
            let price = serde_json::to_value(credits);
            let price = price.map_err(|error| Refusal::internal(error.to_string()))?;
            object.insert(PRICE.to_owned(), price);
        }
        let number = bill.add(&operation.id, key, credits);
        Ok(Success {
            body,
            number,
            credits,
            made_up,
            fields,
        })
    }

    /// Returns the document that describes the response to an operation, with its schema.
    pub(crate) fn spoken<'a>(
        &'a self,
        operation: &'a Operation,
    ) -> (&'a Document, Option<&'a Value>) {
        match &self.spoken {
            Some(spoken) => (spoken, spoken.response_of(operation)),
            None => (&self.document, operation.response.as_ref()),
        }
    }

    /// Returns the body without limit, offset and price: the sample data fitted to the document, or a made-up body.
    fn body(&self, operation: &Operation, arguments: &Arguments) -> Result<Fitted, Refusal> {
        let sample = self.world.body(&operation.id, arguments)?;
        let (document, schema) = self.spoken(operation);
        let fitted = match (sample, schema) {
            (Some(body), Some(schema)) if self.fits => {
                let shown = &self.shown;
                fitting::fit(document, shown, schema, &operation.id, body)
            }
            (Some(body), _) => Fitted {
                body,
                made_up: BTreeSet::new(),
            },
            (None, Some(schema)) => {
                let mut body = made_up::value(document, schema, &operation.id, 0);
                if let (Some(paging), Some(page)) = (&operation.paging, &arguments.page) {
                    paging.cut(page, &mut body);
                }
                Fitted {
                    body,
                    made_up: [operation.id.clone()].into(),
                }
            }
            (None, None) => return Err(Refusal::no_data(&operation.id)),
        };
        Ok(fitted)
    }
}

impl IntoResponse for Success {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::OK, Json(self.body)).into_response();
        if self.made_up {
            let value = HeaderValue::from_static("made-up");
            response.headers_mut().insert(PRICE_HEADER, value);
        }
        if !self.fields.is_empty() {
            let fields: Vec<_> = self.fields.into_iter().collect();
            let value = HeaderValue::from_str(&format!("made-up: {}", fields.join(", ")));
            let value = value.unwrap_or(HeaderValue::from_static("made-up"));
            response.headers_mut().insert(DATA_HEADER, value);
        }
        response
    }
}
