//! The result of a successful call.

use std::fmt;
use std::sync::Arc;
#[cfg(feature = "cache")]
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::decode::set_aside::SetAside;
use crate::document::api::Operation;
#[cfg(feature = "drift")]
use crate::drift::{Change, Drift, changes, drift};
use crate::interceptor::Record;
use crate::response::history::{Attempt, CallHistory};
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;
use crate::secret::quotation::redact;

/// A decoded response with its raw bytes.
#[non_exhaustive]
pub struct Response<T> {
    /// The decoded body.
    pub body: T,
    /// The response metadata.
    pub meta: Meta,
    /// The raw body.
    pub raw: Bytes,
    pub(crate) set_aside: Vec<SetAside>,
    /// The operation, with the documented shape of the body.
    pub(crate) operation: &'static Operation,
}

/// Response metadata: status, headers and attempts.
#[derive(Clone)]
#[non_exhaustive]
pub struct Meta {
    /// The status, always 2xx.
    pub status: StatusCode,
    /// The headers of the response.
    pub headers: HeaderMap,
    /// The number of attempts.
    pub attempts: u32,
    pub(crate) history: CallHistory,
    /// The secrets to be removed from `Debug` output and drift.
    pub(crate) key: Option<Arc<ApiKey>>,
}

impl Meta {
    /// Returns the attempts before the last one, with the bytes that arrived.
    pub fn earlier_attempts(&self) -> &[Attempt] {
        &self.history.earlier
    }

    /// Returns the idempotency key that all attempts carried; `None` if the operation has none. A call with the same key and arguments is the
    /// same call for the service, while it remembers the key.
    #[cfg(feature = "idempotency")]
    pub fn idempotency_key(&self) -> Option<&str> {
        self.history.idempotency_key.as_deref()
    }

    /// Returns when the response arrived, if it was stored or was that of an equal call in flight; `None` if this call was made.
    #[cfg(feature = "cache")]
    pub fn stored_at(&self) -> Option<SystemTime> {
        self.history.stored_at
    }

    /// Returns the [interceptor's](crate::interceptor) record of the call; `None` without an interceptor.
    pub fn record(&self) -> Option<&Record> {
        self.history.record.as_ref()
    }
}

impl<T> Response<T> {
    /// Returns the operation that was called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns only the decoded body.
    pub fn into_body(self) -> T {
        self.body
    }

    /// Lists the values that the decoded body leaves out because they do not match the document: each with its place, the reason, and its
    /// JSON. A missing or unreadable number is never replaced by another one.
    ///
    /// The nearest enclosing optional value is left out: an optional field, or an element of a list or map. A record that does not decode
    /// is among the [`rejects`](crate::Records::rejects) of its list. Of a type of the caller, which `serde_json` reads, nothing is left out.
    ///
    /// ```
    /// # use generated_client::document::{Documented, Operation, Shape};
    /// # use generated_client::{Method, Response};
    /// # static ANY: Shape = Shape::Any;
    /// # static GET_COUNTS: Operation = Operation { id: "getCounts", method: Method::GET, path: "/v1/counts", extension: None, response: &ANY };
    /// # struct Counts { by_month: Vec<i64> }
    /// # generated_client::wire::object!(Counts { by_month: entries "by_month", });
    /// # impl Documented for Counts {
    /// #     fn operation() -> &'static Operation { &GET_COUNTS }
    /// # }
    /// # fn main() -> Result<(), generated_client::Error> {
    /// let response: Response<Counts> = Response::from_bytes(r#"{"by_month": [12, "13", "many"]}"#)?;
    /// assert_eq!(response.body.by_month, [12, 13]);
    /// let left_out = &response.set_aside()[0];
    /// assert_eq!((&*left_out.pointer, left_out.raw.get()), ("/by_month/2", r#""many""#));
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Lists the differences between the response and the document: undocumented fields and enum values, other names and spellings, and
    /// values of another type. They are in order of occurrence; elements of an array that differ alike are counted together.
    ///
    /// It reads [`raw`](Self::raw) again when it is called; nothing is sent. A missing or null field is drift only if it is required. An
    /// empty body has no drift.
    ///
    /// ```
    /// # use generated_client::document::{Api, Operation, Shaped};
    /// # use generated_client::request::Request;
    /// # use generated_client::{Bytes, Client, ClientBuilder, Method, http};
    /// struct Book {
    ///     title: Option<String>,
    ///     sequel: Option<Box<Book>>,
    /// }
    /// generated_client::wire::object!(Book {
    ///     title: optional "title" | "name" or omitted,
    ///     sequel: optional "sequel" or omitted,
    /// });
    /// static GET_BOOKS: Operation = Operation {
    ///     response: Vec::<Book>::SHAPE,
    ///     # id: "getBooks",
    ///     # method: Method::GET,
    ///     # path: "/books",
    ///     # extension: None,
    ///     // …
    /// };
    /// # static API: Api = Api::new("example", "1", "EXAMPLE");
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), generated_client::Error> {
    /// # let body = r#"[{"title": "One", "pages": 9}, {"name": "Two", "pages": 12}]"#;
    /// # let response = move |_: http::Request<Bytes>| async move { Ok(http::Response::new(Bytes::from(body))) };
    /// # let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(response).build()?;
    /// let response = client.send::<serde_json::Value>(Request::new(&GET_BOOKS)).await?;
    /// let drift: Vec<String> = response.drift().iter().map(ToString::to_string).collect();
    /// assert_eq!(drift, [
    ///     "/0/pages: an undocumented property (2 times)",
    ///     "/1/name: `name`, documented as `title`",
    /// ]);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "drift")]
    pub fn drift(&self) -> Vec<Drift> {
        concealing(self.meta.key.as_ref(), || drift(&self.raw, self.operation))
    }

    /// Lists what has changed since an earlier response to the same call, such as a stored one, member by member.
    ///
    /// Records of a list are matched by a member that identifies them: a string or a number that each of them has, and no two have in common. If
    /// there is none, by all of their content. The order of a list is no difference, and neither is null in place of an absent member.
    #[cfg(feature = "drift")]
    pub fn changes_since(&self, earlier: &[u8]) -> Vec<Change> {
        concealing(self.meta.key.as_ref(), || {
            changes(earlier, &self.raw, self.operation.response)
        })
    }

    /// Returns the response with its bytes, and without the decoded body.
    #[cfg(any(feature = "paging", feature = "waiting"))]
    pub(crate) fn without_body(&self) -> Box<Response<()>> {
        Box::new(Response {
            body: (),
            meta: self.meta.clone(),
            raw: self.raw.clone(),
            set_aside: self.set_aside.clone(),
            operation: self.operation,
        })
    }

    /// Returns the same response with a converted body.
    pub fn map<U>(self, view: impl FnOnce(T) -> U) -> Response<U> {
        Response {
            body: view(self.body),
            meta: self.meta,
            raw: self.raw,
            set_aside: self.set_aside,
            operation: self.operation,
        }
    }
}

impl fmt::Debug for Meta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meta")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .field("record", &self.record())
            .field("attempts", &self.attempts)
            .finish()
    }
}

/// Removes the API key from the body, which may repeat it.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = if f.alternate() {
            format!("{:#?}", self.body)
        } else {
            format!("{:?}", self.body)
        };
        let body = redact(&body, self.meta.key.as_deref());
        f.debug_struct("Response")
            .field("body", &format_args!("{body}"))
            .field("meta", &self.meta)
            .field("raw", &format_args!("{} bytes", self.raw.len()))
            .finish()
    }
}
