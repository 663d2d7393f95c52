//! A request under construction, filled by generated code.
//!
//! No method returns a `Result`, so that generated code reads as a list of arguments. The first error is kept, and
//! [`Client::send`](crate::Client::send) returns it before anything is sent.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http::Extensions;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use crate::document::api::Operation;
use crate::document::security::{OwnServer, Security};
use crate::error::ArgumentError;
use crate::request::body::{Body, Content};
#[cfg(feature = "idempotency")]
use crate::request::idempotency::Idempotency;
#[cfg(feature = "cache")]
use crate::request::options::CacheControl;
use crate::request::options::CallOptions;
#[cfg(feature = "styles")]
use crate::request::style::{ParameterStyle, Place};
#[cfg(feature = "styles")]
use crate::request::tree::Tree;
use crate::transport::encode::{ambiguous, encode, encode_into};
#[cfg(feature = "uploads")]
use crate::transport::upload::Upload;
use crate::values::take_exposed;

/// A call of one operation with its arguments, not sent yet.
#[derive(Debug, Clone)]
#[must_use = "a request does nothing until a client sends it"]
pub struct Request {
    pub(super) operation: &'static Operation,
    pub(crate) path: Cow<'static, str>,
    pub(super) query: Vec<QueryPart>,
    /// A path at the origin of the address, which replaces the path behind the address.
    #[cfg(feature = "paging")]
    pub(super) link: Option<String>,
    /// True if the link may have undocumented query parameters.
    #[cfg(feature = "paging")]
    pub(super) is_link_extended: bool,
    pub(super) cookies: Vec<String>,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// The body, if it is read while it is sent.
    #[cfg(feature = "uploads")]
    pub(super) upload: Option<Upload>,
    pub(super) accept: Option<HeaderValue>,
    pub(super) refusal: Option<ArgumentError>,
    /// The security of the operation; `None` for that of the API.
    pub(crate) security: Option<Security>,
    /// The server of the operation; `None` for the base URL.
    pub(crate) server: Option<&'static OwnServer>,
    pub(crate) options: CallOptions,
    /// The header for the key of the call, where the operation has one.
    #[cfg(feature = "idempotency")]
    pub(crate) idempotency: Option<Idempotency>,
    /// For how long the document says that a response is fresh; zero if none is stored.
    pub(crate) fresh_for: Option<Duration>,
    /// The query parameters whose values are compared as websites.
    pub(super) websites: &'static [&'static str],
    /// True if an argument is a secret.
    pub(crate) has_secret: bool,
}

#[derive(Debug, Clone)]
pub(super) struct QueryPart {
    /// The name of the parameter. The pairs of an object do not repeat it.
    pub(super) parameter: String,
    /// The encoded pairs, joined by `&`.
    pub(super) text: String,
}

impl Request {
    /// Makes a call of this operation without arguments.
    pub fn new(operation: &'static Operation) -> Self {
        // A secret that was read before is no argument.
        take_exposed();
        Self {
            operation,
            path: operation.path.into(),
            query: Vec::new(),
            #[cfg(feature = "paging")]
            link: None,
            #[cfg(feature = "paging")]
            is_link_extended: false,
            cookies: Vec::new(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
            #[cfg(feature = "uploads")]
            upload: None,
            accept: None,
            refusal: None,
            security: None,
            server: None,
            options: CallOptions::default(),
            #[cfg(feature = "idempotency")]
            idempotency: None,
            fresh_for: None,
            websites: &[],
            has_secret: false,
        }
    }

    /// Makes a call of this operation with these options, without arguments.
    #[doc(hidden)]
    pub fn with_options(operation: &'static Operation, options: &CallOptions) -> Self {
        let mut request = Self::new(operation);
        request.options(options);
        request
    }

    /// Adopts the options of this call.
    #[doc(hidden)]
    pub fn options(&mut self, options: &CallOptions) -> &mut Self {
        self.options = options.clone();
        self
    }

    /// States for how long a stored response is fresh. With zero, no response is stored.
    #[doc(hidden)]
    pub fn fresh_for(&mut self, age: Duration) -> &mut Self {
        self.fresh_for = Some(age);
        self
    }

    /// Makes it a request that no stored response can answer.
    #[cfg(feature = "waiting")]
    pub(crate) fn bypass_cache(&mut self) {
        self.fresh_for = Some(Duration::ZERO);
        #[cfg(feature = "cache")]
        {
            self.options.cache = CacheControl::default();
        }
    }

    /// Compares the values of query parameters as [websites](crate::values::website), where calls are compared. They are sent unchanged.
    #[doc(hidden)]
    pub fn websites(&mut self, parameters: &'static [&'static str]) -> &mut Self {
        self.websites = parameters;
        self
    }

    /// Sets the security of the call, instead of the API's default. Without alternatives, it sends no credentials.
    #[doc(hidden)]
    pub fn security(&mut self, security: Security) -> &mut Self {
        self.security = Some(security);
        self
    }

    /// Sends the call to the operation's documented server instead of the base URL.
    #[doc(hidden)]
    pub fn server(&mut self, server: &'static OwnServer) -> &mut Self {
        self.server = Some(server);
        self
    }

    /// Returns the caller's data for the [interceptor](crate::interceptor).
    pub fn extensions(&self) -> &Extensions {
        &self.options.extensions
    }

    /// Returns the same, mutable.
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        &mut self.options.extensions
    }

    /// Returns whether the call has query parameters that the document lacks.
    #[doc(hidden)]
    pub fn has_extra_query(&self) -> bool {
        #[cfg(feature = "paging")]
        if self.is_link_extended {
            return true;
        }
        self.options.extras.has_query()
    }

    /// Returns the operation that is called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Replaces `{name}` in the path by a value, encoded as one segment.
    ///
    /// An empty value, `.` and `..` are refused, because they would change the path.
    pub fn path(&mut self, name: &str, value: &dyn Display) -> &mut Self {
        self.fill(name, &encode(value))
    }

    /// Sends a parameter in its documented style. An absent value or an empty list is not sent; in a path it is refused.
    #[cfg(feature = "styles")]
    #[doc(hidden)]
    pub fn parameter(
        &mut self,
        name: &str,
        style: ParameterStyle,
        value: &(impl Serialize + ?Sized),
    ) -> &mut Self {
        let expanded = Tree::of(value).and_then(|value| style.expand(name, &value));
        match (expanded, style.place) {
            (Err(problem), _) => self.refuse(name, problem),
            (Ok(text), Place::Path) => self.fill(name, &text.unwrap_or_default()),
            (Ok(None), _) => self,
            (Ok(Some(text)), Place::Query) => self.append_query(name, text),
            (Ok(Some(text)), Place::Header) => self.header(name, &text),
            (Ok(Some(text)), Place::Cookie) => {
                self.has_secret |= take_exposed();
                self.cookies.push(text);
                self
            }
        }
    }

    /// Replaces `{name}` in the path by an encoded value.
    fn fill(&mut self, name: &str, value: &str) -> &mut Self {
        match value {
            "" => return self.refuse(name, "is empty"),
            "." | ".." => {
                return self.refuse(name, format!("is `{value}`, which a path cannot hold"));
            }
            _ => {}
        }
        self.has_secret |= take_exposed();
        // An encoded value contains no brace, so it cannot look like another argument's place.
        let place = format!("{{{name}}}");
        if !self.path.contains(&place) {
            return self.refuse(name, "has no place in the path");
        }
        self.path = self.path.replace(&place, value).into();
        self
    }

    /// Sends one key in this header with all attempts of the call: the caller's, or an unused one. `window` is the time for which the service
    /// remembers a key; without it, a key holds for the whole call.
    #[cfg(feature = "idempotency")]
    #[doc(hidden)]
    pub fn idempotency_key(
        &mut self,
        header: &'static str,
        window: Option<Duration>,
        key: Option<&str>,
    ) -> &mut Self {
        let Ok(name) = HeaderName::from_bytes(header.as_bytes()) else {
            return self.refuse(header, "is not the name of a header");
        };
        if key.is_some_and(|key| key.trim().is_empty()) {
            return self.refuse(header, "is empty");
        }
        let Ok(key) = key.map(HeaderValue::from_str).transpose() else {
            return self.refuse(header, "contains a character that is invalid in a header");
        };
        self.idempotency = Some(Idempotency {
            header: name,
            window,
            key,
        });
        self
    }

    /// Adds a query parameter. Call it once per value to repeat the parameter.
    pub fn query(&mut self, name: &str, value: &dyn Display) -> &mut Self {
        let value = value.to_string();
        let mut text = String::with_capacity(name.len() + 1 + value.len());
        encode_into(&mut text, name);
        text.push('=');
        encode_into(&mut text, &value);
        self.append_query(name, text)
    }

    /// Adds a query parameter that a caller may leave out.
    #[doc(hidden)]
    pub fn optional_query(&mut self, name: &str, value: &Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    /// Adds one query parameter with several values; without values, adds nothing.
    ///
    /// The values are encoded, the separator is not: use `,` for OpenAPI's `style: form` with `explode: false`. A value whose encoded form
    /// contains the separator, as `|` does with `%7C`, is refused: the service would read two values.
    #[doc(hidden)]
    pub fn query_joined(
        &mut self,
        name: &str,
        separator: &str,
        values: impl IntoIterator<Item = impl Display>,
    ) -> &mut Self {
        let values = values.into_iter().map(|value| encode(&value)).collect();
        self.query_encoded(name, separator, values)
    }

    fn query_encoded(&mut self, name: &str, separator: &str, values: Vec<String>) -> &mut Self {
        if values.is_empty() {
            return self;
        }
        if let Some(problem) = ambiguous(&values, separator) {
            return self.refuse(name, problem);
        }
        self.append_query(
            name,
            format!("{}={}", encode(&name), values.join(separator)),
        )
    }

    /// Sets a header. The headers that the client sets itself (key, `User-Agent`, `Accept`) take precedence.
    pub fn header(&mut self, name: &str, value: &dyn Display) -> &mut Self {
        let Ok(header) = HeaderName::from_bytes(name.as_bytes()) else {
            return self.refuse(name, "is not the name of a header");
        };
        let Ok(value) = HeaderValue::from_str(&value.to_string()) else {
            return self.refuse(name, "contains a character that is invalid in a header");
        };
        self.has_secret |= take_exposed();
        self.headers.insert(header, value);
        self
    }

    /// Sets a header that a caller may leave out.
    #[doc(hidden)]
    pub fn optional_header(&mut self, name: &str, value: &Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.header(name, value),
            None => self,
        }
    }

    /// Sets a JSON body.
    pub fn json(&mut self, body: &impl Serialize) -> &mut Self {
        self.body(Body::json(body))
    }

    /// Sets the body with its content type.
    pub fn body(&mut self, body: Body) -> &mut Self {
        match body.into_parts() {
            Ok((content_type, content)) => {
                #[cfg(feature = "uploads")]
                {
                    self.upload = None;
                }
                self.body = match content {
                    Content::Bytes(bytes) => bytes,
                    #[cfg(feature = "uploads")]
                    Content::Upload(upload) => {
                        self.upload = Some(upload);
                        Bytes::new()
                    }
                };
                self.headers.insert(CONTENT_TYPE, content_type);
                self.has_secret |= take_exposed();
                self
            }
            Err(problem) => self.refuse("body", problem),
        }
    }

    /// Accepts these media types instead of JSON.
    #[doc(hidden)]
    pub fn accept(&mut self, media_types: &'static str) -> &mut Self {
        match HeaderValue::from_str(media_types) {
            Ok(accept) => {
                self.accept = Some(accept);
                self
            }
            Err(_) => self.refuse("accept", "contains a character that is invalid in a header"),
        }
    }

    /// Accepts the media types of the caller's header `Accept`, and otherwise any.
    #[cfg(feature = "streams")]
    pub(crate) fn accept_as_given(&mut self) {
        let given = self.headers.get(ACCEPT).cloned();
        self.accept = given.or(Some(HeaderValue::from_static("*/*")));
    }

    /// Keeps the reason why the request cannot be sent, unless there is one already.
    pub(crate) fn refuse(&mut self, argument: &str, problem: impl Into<String>) -> &mut Self {
        self.refusal
            .get_or_insert_with(|| ArgumentError::new(self.operation, argument, problem));
        self
    }

    /// Returns whether the body was read and cannot be read again.
    pub(crate) fn is_spent(&self) -> bool {
        #[cfg(feature = "uploads")]
        return self.upload.as_ref().is_some_and(Upload::is_spent);
        #[cfg(not(feature = "uploads"))]
        false
    }

    /// Returns whether a header has the idempotency key of the call.
    pub(crate) fn has_key_in(&self, _header: &HeaderName) -> bool {
        #[cfg(feature = "idempotency")]
        return self
            .idempotency
            .as_ref()
            .is_some_and(|key| key.header == *_header);
        #[cfg(not(feature = "idempotency"))]
        false
    }

    /// Returns whether there is a query parameter of this name.
    #[doc(hidden)]
    pub fn has_query(&self, name: &str) -> bool {
        self.query.iter().any(|part| part.parameter == name)
    }

    /// Returns the encoded part of the query for the parameters of these names.
    #[doc(hidden)]
    pub fn query_of<'n>(&self, names: impl Iterator<Item = &'n str> + Clone) -> String {
        let mut text = String::new();
        for part in &self.query {
            if names.clone().any(|name| name == part.parameter) {
                if !text.is_empty() {
                    text.push('&');
                }
                text.push_str(&part.text);
            }
        }
        text
    }

    pub(super) fn append_query(&mut self, name: &str, text: String) -> &mut Self {
        self.has_secret |= take_exposed();
        self.query.push(QueryPart {
            parameter: name.to_owned(),
            text,
        });
        self
    }
}
