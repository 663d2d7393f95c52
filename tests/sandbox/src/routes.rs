//! The steps of a call from its arrival to its response: path, method, key, arguments, data, price, bill.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use company_intel::Credits;
use fastrand::Rng;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::arguments::Arguments;
use crate::bill::{Bill, charge, request_id};
use crate::calls::{Call, Latest};
use crate::data::World;
use crate::document::{Document, Found};
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

/// Builds the router of all paths.
pub(crate) fn router(service: &Arc<Service>) -> Router {
    let service = service.clone();
    Router::new().fallback(async move |connection, request: Request| {
        let (head, body) = request.into_parts();
        let body = service.read(Request::from_parts(head.clone(), body)).await;
        let ConnectInfo(connection) = connection;
        service.answer(&head, body, &connection).await
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
    async fn read(&self, request: Request) -> Result<Bytes, Unread> {
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
        head: &Parts,
        body: Result<Bytes, Unread>,
        connection: &Connection,
    ) -> Response {
        let path = head.uri.path();
        let served_path = path.strip_prefix(PREFIX).unwrap_or_default();
        let found = self.document.find(head.method.as_str(), served_path);
        let operation = found.as_ref().map(|found| found.operation);
        let fault = operation.and_then(|one| self.faults.next(&one.id, || self.draw()));
        let (least, most) = (*self.latency.start(), *self.latency.end());
        let latency = least + most.saturating_sub(least).mul_f64(self.draw());
        let pause = fault.as_ref().map_or(Duration::ZERO, Fault::pause);
        let (billed, mut response) = match &fault {
            Some(fault) if !fault.is_billed => {
                self.bill().refused += 1;
                (None, Response::default())
            }
            _ => {
                let responded = match found {
                    Some(found) => self.respond(&found, head, body).await,
                    None => Err(self.not_found(served_path)),
                };
                match responded {
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
        };
        let status = fault.as_ref().and_then(Fault::replaced_status);
        let call = Call {
            method: head.method.to_string(),
            path: path.to_owned(),
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

    /// Refuses a request without an operation.
    fn not_found(&self, path: &str) -> Refusal {
        match self.document.methods(path).as_slice() {
            [] => Refusal::not_found("the document has no such path"),
            allowed => Refusal::method(&allowed.join(", ")),
        }
    }

    /// Responds to a call of an operation.
    async fn respond(
        &self,
        found: &Found<'_>,
        head: &Parts,
        body: Result<Bytes, Unread>,
    ) -> Result<Success, Refusal> {
        let operation = found.operation;
        let key = head.headers.get(&self.document.key_header);
        let mut keys = self.keys.iter();
        let is_it = |known: &String| key.map(HeaderValue::as_bytes) == Some(known.as_bytes());
        let Some(key) = keys.position(is_it) else {
            return Err(Refusal::key(self.document.key_header.as_str()));
        };
        if percent_decode_str(head.uri.path()).decode_utf8().is_err() {
            let message = "a part of the path is not valid UTF-8";
            return Err(Refusal::unread(StatusCode::BAD_REQUEST, message));
        }
        let body = body.map_err(|(status, message)| Refusal::unread(status, &message))?;
        let arguments = Arguments::read(&self.document, found, head, body).await?;
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
