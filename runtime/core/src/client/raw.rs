//! Calls of undocumented endpoints, with the same retries and credentials as all others.

use std::fmt::Display;

use bytes::Bytes;
use http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::client::client::Client;
use crate::document::api::Operation;
use crate::document::shape::Shape;
use crate::error::Error;
use crate::request::body::Body;
use crate::request::message::dot_segment;
use crate::request::options::CallOptions;
use crate::request::request::Request;
use crate::response::response::Response;
use crate::response::undecoded::Undecoded;
#[cfg(feature = "streams")]
use crate::stream::response_stream::ResponseStream;

/// One operation per method: errors and spans name it, and never the path that was called.
static OPERATIONS: [Operation; 8] = [
    raw(Method::GET),
    raw(Method::HEAD),
    raw(Method::POST),
    raw(Method::PUT),
    raw(Method::PATCH),
    raw(Method::DELETE),
    raw(Method::OPTIONS),
    raw(Method::QUERY),
];

/// The id of all calls of undocumented endpoints.
pub(super) const ID: &str = "raw";

const fn raw(method: Method) -> Operation {
    Operation {
        id: ID,
        method,
        path: "",
        extension: None,
        response: &Shape::Any,
    }
}

/// A call of any endpoint, made by [`Client::raw`] and not sent yet.
///
/// ```
/// use generated_client::{Client, Error, Method};
///
/// # async fn example(client: Client) -> Result<(), Error> {
/// let response = client
///     .raw(Method::GET, "/v2/things")
///     .query("limit", 20)
///     .send::<serde_json::Value>()
///     .await?;
/// println!("{} after {} attempts", response.body, response.meta.attempts);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a call is made when it is sent"]
pub struct RawCall {
    client: Client,
    request: Request,
    options: CallOptions,
}

crate::call!(RawCall, client, options, [extra_query deadline retry detached max_age refresh only_if_cached send_as]);

#[cfg(feature = "metered")]
impl RawCall {
    crate::option!(pub price);
    crate::option!(pub assume_price);
    crate::option!(pub quote);
}

impl Client {
    /// Starts a call of any endpoint that the document lacks. `path` starts with `/` and is already encoded.
    pub fn raw(&self, method: Method, path: impl Into<String>) -> RawCall {
        RawCall::new(self.clone(), &method, path.into())
    }
}

impl RawCall {
    pub(crate) fn new(client: Client, method: &Method, path: String) -> Self {
        let [any, ..] = &OPERATIONS;
        let operation = OPERATIONS.iter().find(|one| one.method == *method);
        let mut request = Request::new(operation.unwrap_or(any));
        if operation.is_none() {
            let known: Vec<_> = OPERATIONS.iter().map(|one| one.method.as_str()).collect();
            request.refuse("method", format!("is not one of {}", known.join(", ")));
        }
        match problem(&path) {
            Some(problem) => _ = request.refuse("path", problem),
            None => request.path = path.into(),
        }
        Self {
            client,
            request,
            options: CallOptions::default(),
        }
    }

    /// Adds a query parameter, encoded. Call it once per value to repeat the parameter.
    pub fn query(mut self, name: &str, value: impl Display) -> Self {
        self.request.query(name, &value);
        self
    }

    /// Calls a link of an earlier response, such as that of a next page, in place of the path: its path and query, at the origin of the
    /// client. A link to another origin is refused, because no credentials are sent there.
    ///
    /// ```
    /// # use generated_client::{Client, Error, Method};
    /// # async fn example(client: Client, next: &str) -> Result<(), Error> {
    /// let page = client.raw(Method::GET, "/").link(next).send::<serde_json::Value>().await?;
    /// # let _ = page;
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "paging")]
    pub fn link(mut self, link: &str) -> Self {
        match self.client.link(&self.request, link) {
            Ok(link) => _ = self.request.follow(&link, true),
            Err(problem) => _ = self.request.refuse("link", problem),
        }
        self
    }

    /// Sets a header. The headers that the client sets itself (key, `User-Agent`, `Accept`) win over it.
    pub fn header(mut self, name: &str, value: impl Display) -> Self {
        self.request.header(name, &value);
        self
    }

    /// Sets a JSON body.
    pub fn json(mut self, body: &impl Serialize) -> Self {
        self.request.json(body);
        self
    }

    /// Sets the body with its content type.
    pub fn body(mut self, body: Body) -> Self {
        self.request.body(body);
        self
    }

    /// Returns the client that makes the call.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the request with its options.
    pub fn request(&self) -> Request {
        self.clone().prepared().1
    }

    fn prepared(mut self) -> (Client, Request) {
        self.request.options(&self.options);
        (self.client, self.request)
    }

    /// Makes the call and decodes its response; an empty body is read as JSON `null`.
    ///
    /// # Errors
    ///
    /// As [`Client::send`], and [`Error::Argument`] for an unknown method or an invalid path. A path is invalid if it does not start with
    /// `/`, or contains a query, a fragment, a segment `.` or `..`, or an unencoded character.
    pub async fn send<T: DeserializeOwned + Send + 'static>(self) -> Result<Response<T>, Error> {
        let (client, request) = self.prepared();
        client.send(request).await
    }

    /// Makes the call like [`send`](Self::send), accepts any media type, and returns the raw bytes of the response.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn send_bytes(mut self) -> Result<Response<Bytes>, Error> {
        self.request.accept("*/*");
        let (client, request) = self.prepared();
        client.send_with(request, Undecoded::bytes).await
    }

    /// Makes the call like [`send`](Self::send) and returns when the head of a success has arrived: [`ResponseStream`] is its body. Accepts
    /// any media type, unless the call has a header `Accept`.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send), up to the head. After it, errors are items of the stream.
    ///
    /// ```
    /// # use generated_client::{Client, Error, Method};
    /// # async fn example(client: Client) -> Result<(), Error> {
    /// let call = client.raw(Method::GET, "/v2/changes");
    /// let mut events = call.header("Accept", "text/event-stream").send_stream().await?.events();
    /// while let Some(event) = events.next().await {
    ///     println!("{}", event?.data_as::<serde_json::Value>()?);
    /// }
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "streams")]
    pub async fn send_stream(mut self) -> Result<ResponseStream, Error> {
        self.request.accept_as_given();
        let (client, request) = self.prepared();
        client.send_stream(request).await
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/%".contains(&byte)
}

/// Returns whether the text after a percent sign begins with two hexadecimal digits.
fn begins_with_code(text: &str) -> bool {
    let code = text.as_bytes().get(..2);
    code.is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
}

/// Returns why a path cannot be sent unchanged.
fn problem(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        return Some("does not start with `/`");
    }
    if !path.bytes().all(is_plain) || !path.split('%').skip(1).all(begins_with_code) {
        return Some("contains a character that must be encoded, or that belongs in the query");
    }
    dot_segment(path).map(|_| "has a segment `.` or `..`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_sent_unchanged_or_refused() {
        for path in [
            "/",
            "/v1/things",
            "/v1/things/",
            "/v1//things",
            "/a%20b/%C3%A9/x.y~z",
            "/things:batch/@me;v=1,2",
            "/...",
            "/.well-known/x",
        ] {
            assert_eq!(problem(path), None, "{path}");
        }
        for (path, part) in [
            ("", "start"),
            ("v1/things", "start"),
            ("https://elsewhere.example/", "start"),
            ("@elsewhere.example/", "start"),
            ("/a?b=1", "character"),
            ("/a#b", "character"),
            ("/a b", "character"),
            ("/é", "character"),
            ("/a\\..\\b", "character"),
            ("/a\n", "character"),
            ("/things/{id}", "character"),
            ("/100%", "character"),
            ("/%2", "character"),
            ("/%zz", "character"),
            ("/a/../b", "segment"),
            ("/..", "segment"),
            ("/a/.", "segment"),
            ("/%2e%2E/b", "segment"),
            ("/.%2e", "segment"),
        ] {
            let problem = problem(path).unwrap_or_default();
            assert!(problem.contains(part), "{path}: {problem}");
        }
    }
}
