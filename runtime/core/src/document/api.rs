//! What generated code says about an API and its operations, as constants.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use http::Method;
use serde::de::DeserializeOwned;

use crate::document::security::{Scheme, Security};
use crate::document::shape::Shape;
use crate::interceptor::Interceptor;

/// One API, as the generated crate describes it.
#[derive(Debug, Clone)]
pub struct Api {
    /// Name of the generated crate, for the `User-Agent`.
    pub name: &'static str,
    /// Version of the generated crate, for the `User-Agent`.
    pub version: &'static str,
    /// Prefix of the environment variables that configure a client: with `EXAMPLE`, they are
    /// `EXAMPLE_BASE_URL` and `EXAMPLE_API_KEY`.
    pub environment: &'static str,
    /// The address that the document names, if it names exactly one, which is `https` and without variables: a client from the environment
    /// needs no other.
    pub base_url: Option<&'static str>,
    /// How a request proves who is calling.
    pub auth: Auth,
    /// Makes what stands around each attempt of a client, if anything does.
    pub interceptor: Option<fn() -> Arc<dyn Interceptor>>,
}

/// How the API key travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// As the whole value of this header.
    Header(&'static str),
    /// As `Authorization: Bearer <key>`.
    Bearer,
    /// Not at all: no key is asked for, and one that is given is not sent.
    None,
    /// As the document's security schemes say, one by one.
    Schemes {
        /// The schemes.
        all: &'static [Scheme],
        /// What an operation needs that does not say otherwise, by [`Request::security`](crate::request::Request::security).
        usual: Security,
    },
}

/// One operation of an API. Declare it as a `static`, so that requests can refer to it.
#[derive(Clone)]
pub struct Operation {
    /// The operation's id in the API's document, or the name that it is known by since an earlier one.
    pub id: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, starting with `/`, with a `{name}` for each path argument.
    pub path: &'static str,
    /// What the [interceptor](Api::interceptor) knows of the operation.
    pub extension: Option<&'static (dyn Any + Send + Sync)>,
    /// What the document says of the body of a response, for [`Response::drift`](crate::Response::drift).
    pub response: &'static Shape,
}

/// The type of a response body that a document describes. For generated code;
/// [`Response::from_bytes`](crate::Response::from_bytes) reads stored bytes as one.
pub trait Documented: DeserializeOwned {
    /// An operation that responds with such a body.
    fn operation() -> &'static Operation;
}

impl Operation {
    /// Whether a second request has no effect that the first one did not have, by its method (RFC 9110, section 9.2.2; also QUERY).
    pub(crate) fn is_idempotent(&self) -> bool {
        self.method.is_idempotent() || self.method == Method::QUERY
    }

    /// The path, unless the operation stands for all paths, as [`Client::raw`](crate::Client::raw) has them.
    pub fn template(&self) -> Option<&'static str> {
        (!self.path.is_empty()).then_some(self.path)
    }
}

/// By what is sent: method and path, under the same id.
impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        (self.id, &self.method, self.path) == (other.id, &other.method, other.path)
    }
}

impl Eq for Operation {}

/// Without its tables.
impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({self})")
    }
}

/// Identifies the operation without saying what it was called with: `getThing (GET /v1/things/{id})`.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.template() {
            Some(path) => write!(f, "{} ({} {path})", self.id, self.method),
            None => write!(f, "{} ({})", self.id, self.method),
        }
    }
}
