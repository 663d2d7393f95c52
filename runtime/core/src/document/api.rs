//! Constants of generated code that describe an API and its operations.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use http::Method;
use serde::de::DeserializeOwned;

use crate::document::security::{Scheme, Security};
use crate::document::shape::{Shape, Shaped};
use crate::interceptor::Interceptor;

/// The description of one API in a generated crate.
#[derive(Debug, Clone)]
pub struct Api {
    /// Name of the generated crate, for the `User-Agent`.
    pub name: &'static str,
    /// Version of the generated crate, for the `User-Agent`.
    pub version: &'static str,
    /// Prefix of the environment variables that configure a client: with `EXAMPLE`, they are
    /// `EXAMPLE_BASE_URL` and `EXAMPLE_API_KEY`.
    pub environment: &'static str,
    /// The first base URL of the document, if it is `https` and has no variables. A client from the environment then needs no other.
    pub base_url: Option<&'static str>,
    /// How requests are authenticated.
    pub auth: Auth,
    /// Makes the interceptor of a client, if the API has one.
    pub interceptor: Option<fn() -> Arc<dyn Interceptor>>,
    /// The [ids](Operation::id) of its operations, for settings that name one: [`ClientBuilder::build`](crate::ClientBuilder::build) refuses
    /// any other.
    pub operations: &'static [&'static str],
}

impl Api {
    /// Declares an API without a base URL, a key, and an interceptor, and without the ids of its operations.
    #[must_use]
    pub const fn new(name: &'static str, version: &'static str, environment: &'static str) -> Self {
        Self {
            name,
            version,
            environment,
            base_url: None,
            auth: Auth::None,
            interceptor: None,
            operations: &[],
        }
    }
}

/// How the API key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// The key is the complete value of this header.
    Header(&'static str),
    /// The key is sent as `Authorization: Bearer <key>`.
    Bearer,
    /// The API needs no key. One that is given is not sent.
    None,
    /// The document has named security schemes.
    Schemes {
        /// The schemes.
        all: &'static [Scheme],
        /// The default of operations that name no schemes of their own.
        usual: Security,
    },
}

/// One operation of an API. Declare it as a `static`, so that requests can refer to it.
#[derive(Clone)]
pub struct Operation {
    /// The operation's id in the document, or its name since an earlier document.
    pub id: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, starting with `/`, with a `{name}` for each path argument.
    pub path: &'static str,
    /// Data of the operation for the [interceptor](Api::interceptor).
    pub extension: Option<&'static (dyn Any + Send + Sync)>,
    /// The documented shape of a response body, with which drift is found.
    pub response: &'static Shape,
}

/// The type of a response body that a document describes. For generated code;
/// [`Response::from_bytes`](crate::Response::from_bytes) reads stored bytes as one.
pub trait Documented: DeserializeOwned {
    /// Returns an operation that responds with such a body.
    fn operation() -> &'static Operation;
}

/// Implements [`Documented`] for a type of a response, from the operation that responds with it.
#[doc(hidden)]
#[macro_export]
macro_rules! documented {
    ($response:ty, $operation:ident) => {
        impl $crate::document::Documented for $response {
            fn operation() -> &'static $crate::document::Operation {
                &$operation
            }
        }
    };
}

macro_rules! methods {
    ($($name:ident $method:ident)*) => {
        impl Operation {$(
            #[doc = concat!("Declares an operation of the method ", stringify!($method), ", as [`new`](Self::new) does.")]
            #[must_use]
            pub const fn $name(id: &'static str, path: &'static str) -> Self {
                Self::new(Method::$method, id, path)
            }
        )*}
    };
}

methods!(get GET put PUT post POST delete DELETE options OPTIONS head HEAD patch PATCH trace TRACE query QUERY);

impl Operation {
    /// Declares an operation with a response of any shape, and without an extension.
    #[must_use]
    pub const fn new(method: Method, id: &'static str, path: &'static str) -> Self {
        Self {
            id,
            method,
            path,
            extension: None,
            response: &Shape::Any,
        }
    }

    /// Declares the type of its response.
    #[must_use]
    pub const fn returns<T: Shaped>(mut self) -> Self {
        self.response = T::SHAPE;
        self
    }

    /// Declares its data for the [interceptor](Api::interceptor).
    #[must_use]
    pub const fn extension(mut self, extension: &'static (dyn Any + Send + Sync)) -> Self {
        self.extension = Some(extension);
        self
    }

    /// Returns whether repeating a request has no further effect, by its method (RFC 9110, section 9.2.2; also QUERY).
    pub(crate) fn is_idempotent(&self) -> bool {
        self.method.is_idempotent() || self.method == Method::QUERY
    }

    /// Returns whether a request only reads, by its method (RFC 9110, section 9.2.1; also QUERY).
    #[cfg(feature = "cache")]
    pub(crate) fn is_safe(&self) -> bool {
        self.method.is_safe() || self.method == Method::QUERY
    }

    /// Returns the path; `None` for the operations of [`Client::raw`](crate::Client::raw), which stand for all paths.
    pub fn template(&self) -> Option<&'static str> {
        (!self.path.is_empty()).then_some(self.path)
    }
}

/// Compares method and path, under the same id.
impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        (self.id, &self.method, self.path) == (other.id, &other.method, other.path)
    }
}

impl Eq for Operation {}

/// Shows no tables.
impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({self})")
    }
}

/// Identifies the operation without its arguments: `getThing (GET /v1/things/{id})`.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.template() {
            Some(path) => write!(f, "{} ({} {path})", self.id, self.method),
            None => write!(f, "{} ({})", self.id, self.method),
        }
    }
}
