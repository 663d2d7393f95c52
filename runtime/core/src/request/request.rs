//! A request under construction, filled by generated code.
//!
//! No method returns a `Result`, so that generated code reads as a list of arguments. The first error is kept, and
//! [`Client::send`](crate::Client::send) returns it before anything is sent.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http::Extensions;
use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
#[cfg(any(feature = "cache", feature = "journal"))]
use percent_encoding::percent_decode_str;
use serde::Serialize;

use crate::document::api::{Auth, Operation};
use crate::document::security::{OwnServer, Security};
use crate::error::ArgumentError;
use crate::request::body::{Body, Content};
use crate::request::client_headers::ClientHeaders;
use crate::request::extras::{self, Extras};
use crate::request::idempotency::{Idempotency, IdempotencyKey, StoredKey};
#[cfg(feature = "cache")]
use crate::request::options::CacheControl;
use crate::request::options::CallOptions;
use crate::request::options::RetryPolicy;
#[cfg(feature = "styles")]
use crate::request::style::{ParameterStyle, Place};
#[cfg(feature = "styles")]
use crate::request::tree::Tree;
use crate::transport::base_url::BaseUrl;
use crate::transport::encode::{ambiguous, encode, encode_into};
#[cfg(feature = "uploads")]
use crate::transport::upload::Upload;
use crate::values::take_exposed;
#[cfg(any(feature = "cache", feature = "journal"))]
use crate::values::website;

/// A call of one operation with its arguments, not sent yet.
#[derive(Debug, Clone)]
#[must_use = "a request does nothing until a client sends it"]
pub struct Request {
    operation: &'static Operation,
    pub(crate) path: Cow<'static, str>,
    pub(super) query: Vec<QueryPart>,
    /// A path at the origin of the address, which replaces the path behind the address.
    #[cfg(feature = "paging")]
    pub(super) link: Option<String>,
    /// True if the link may have undocumented query parameters.
    #[cfg(feature = "paging")]
    pub(super) is_link_extended: bool,
    cookies: Vec<String>,
    headers: HeaderMap,
    pub(super) body: Bytes,
    /// The body, if it is read while it is sent.
    #[cfg(feature = "uploads")]
    upload: Option<Upload>,
    accept: Option<HeaderValue>,
    pub(super) refusal: Option<ArgumentError>,
    /// The security of the operation; `None` for that of the API.
    pub(crate) security: Option<Security>,
    /// The server of the operation; `None` for the base URL.
    pub(crate) server: Option<&'static OwnServer>,
    pub(crate) extensions: Extensions,
    /// The retry policy; `None` for that of the client.
    pub(crate) retry: Option<RetryPolicy>,
    /// True if an in-flight call finishes after its future is dropped; `None` for the setting of the client.
    pub(crate) is_detached: Option<bool>,
    /// The deadline of the call; `None` for that of the client.
    pub(crate) deadline: Option<Duration>,
    /// The header for the key of the call, where the operation has one.
    pub(crate) idempotency: Option<Idempotency>,
    /// The key of the call, where its builder was given none.
    pub(super) stored_key: Option<StoredKey>,
    pub(crate) extras: Extras,
    /// For how long the document says that a response is fresh; zero if none is stored.
    pub(crate) fresh_for: Option<Duration>,
    /// The query parameters whose values are compared as websites.
    websites: &'static [&'static str],
    /// True if an argument is a secret.
    pub(crate) has_secret: bool,
    /// How the call uses stored responses.
    #[cfg(feature = "cache")]
    pub(crate) cache: CacheControl,
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
            extensions: Extensions::new(),
            retry: None,
            is_detached: None,
            deadline: None,
            idempotency: None,
            stored_key: None,
            extras: Extras::default(),
            fresh_for: None,
            websites: &[],
            has_secret: false,
            #[cfg(feature = "cache")]
            cache: CacheControl::default(),
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
        self.extensions = options.extensions.clone();
        self.retry = options.retry;
        self.is_detached = options.detached;
        self.deadline = options.deadline;
        self.stored_key = options.idempotency_key.clone();
        self.extras = options.extras.clone();
        #[cfg(feature = "cache")]
        {
            self.cache = options.cache;
        }
        self
    }

    /// States for how long a stored response is fresh. With zero, no response is stored.
    #[doc(hidden)]
    pub fn fresh_for(&mut self, age: Duration) -> &mut Self {
        self.fresh_for = Some(age);
        self
    }

    /// Makes it a request that no stored response can answer.
    pub(crate) fn bypass_cache(&mut self) {
        self.fresh_for = Some(Duration::ZERO);
        #[cfg(feature = "cache")]
        {
            self.cache = CacheControl::default();
        }
    }

    /// Compares the values of query parameters as [websites](crate::values::website), where calls are compared. They are sent unchanged.
    #[doc(hidden)]
    pub fn websites(&mut self, parameters: &'static [&'static str]) -> &mut Self {
        self.websites = parameters;
        self
    }

    /// Returns the request with the arguments by which equal calls are recognised.
    #[cfg(feature = "cache")]
    pub(crate) fn with_canonical_arguments(&self) -> Self {
        let mut request = self.clone();
        for part in &mut request.query {
            if let Some(website) = self.website(part)
                && let Some((name, _)) = part.text.split_once('=')
            {
                part.text = format!("{name}={}", encode(&website));
            }
        }
        request
    }

    /// Returns whether a parameter of the call names this website, in any spelling.
    #[cfg(feature = "journal")]
    pub(crate) fn names_website(&self, canonical: &str) -> bool {
        let mut websites = self.query.iter().filter_map(|part| self.website(part));
        websites.any(|website| website == canonical)
    }

    /// Returns the website that a parameter names, in the spelling by which it is compared.
    #[cfg(any(feature = "cache", feature = "journal"))]
    fn website(&self, part: &QueryPart) -> Option<String> {
        if !self.websites.contains(&part.parameter.as_str()) {
            return None;
        }
        let (_, value) = part.text.split_once('=')?;
        website(&percent_decode_str(value).decode_utf8_lossy())
    }

    /// Returns whether the body is read while it is sent.
    #[cfg(feature = "cache")]
    pub(crate) fn is_upload(&self) -> bool {
        #[cfg(feature = "uploads")]
        return self.upload.is_some();
        #[cfg(not(feature = "uploads"))]
        false
    }

    /// Returns whether the call takes JSON and nothing else.
    #[cfg(feature = "cache")]
    pub(crate) fn takes_json(&self) -> bool {
        self.accept.is_none()
    }

    /// Returns whether a header has the idempotency key of the call.
    #[cfg(feature = "cache")]
    pub(crate) fn is_idempotency_key(&self, header: &HeaderName) -> bool {
        self.idempotency
            .as_ref()
            .is_some_and(|key| key.header == *header)
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
        &self.extensions
    }

    /// Returns the same, mutable.
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        &mut self.extensions
    }

    /// Returns whether the call has query parameters that the document lacks.
    #[doc(hidden)]
    pub fn has_extra_query(&self) -> bool {
        #[cfg(feature = "paging")]
        if self.is_link_extended {
            return true;
        }
        self.extras.has_query()
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

    /// Adds a query parameter. Call it once per value to repeat the parameter.
    pub fn query(&mut self, name: &str, value: &dyn Display) -> &mut Self {
        let mut text = String::new();
        encode_into(&mut text, name);
        text.push('=');
        encode_into(&mut text, &value.to_string());
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

    /// Sends one key in this header with all attempts of the call: the caller's, or an unused one. `window` is the time for which the service
    /// remembers a key; without it, a key holds for the whole call.
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

    /// Returns the key of a call, or the reason why its header cannot have one.
    pub(crate) fn key(&self, auth: Auth) -> Result<Option<IdempotencyKey>, ArgumentError> {
        let Some(idempotency) = &self.idempotency else {
            return Ok(None);
        };
        let key = idempotency.key(self.stored_key.as_ref());
        match extras::key_problem(&idempotency.header, key.as_str(), auth) {
            None => Ok(Some(key)),
            Some(problem) => {
                let header = idempotency.header.as_str();
                Err(ArgumentError::new(self.operation, header, problem))
            }
        }
    }

    /// Returns the time for which the service remembers the key of the call, or `None` if that is unknown; `None` if the call has no key, or
    /// the caller gave one.
    pub(crate) fn idempotency_window(&self) -> Option<Option<Duration>> {
        let idempotency = self.idempotency.as_ref()?;
        idempotency.key.is_none().then_some(idempotency.window)
    }

    pub(crate) fn store_key(&mut self, key: StoredKey) {
        self.stored_key = Some(key);
    }

    /// Adds the undocumented parameters and headers, after everything else.
    fn add_extras(&mut self, auth: Auth) {
        let Extras { query, headers } = std::mem::take(&mut self.extras);
        let documented = self.query.len();
        for (name, value) in query {
            let mut arguments = self.query.iter().take(documented);
            if let Some(problem) = extras::query_problem(&name, auth) {
                self.refuse(&name, problem);
            } else if arguments.any(|part| part.parameter == name) {
                self.refuse(&name, "is an argument of the call already");
            } else {
                self.query(&name, &value);
            }
        }
        let documented = self.headers.clone();
        let key = self.idempotency.as_ref().map(|key| key.header.clone());
        for (name, value) in headers {
            match extras::header(&name, &value, auth) {
                Err(problem) => _ = self.refuse(&name, problem),
                Ok((header, _))
                    if documented.contains_key(&header) || key.as_ref() == Some(&header) =>
                {
                    self.refuse(&name, "is an argument of the call already");
                }
                Ok((header, value)) => _ = self.headers.insert(header, value),
            }
        }
    }

    /// Returns the message with the client's headers, or the reason why it cannot be sent.
    pub(crate) fn to_http(
        &self,
        base_url: &BaseUrl,
        auth: Auth,
        client_headers: &ClientHeaders,
    ) -> Result<http::Request<Bytes>, ArgumentError> {
        if self.extras.is_empty() {
            return self.documented(base_url, client_headers);
        }
        let mut extended = self.clone();
        extended.add_extras(auth);
        extended.documented(base_url, client_headers)
    }

    fn documented(
        &self,
        base_url: &BaseUrl,
        client_headers: &ClientHeaders,
    ) -> Result<http::Request<Bytes>, ArgumentError> {
        if let Some(refusal) = &self.refusal {
            return Err(refusal.clone());
        }
        if let Some(missing) = first_place(&self.path) {
            return Err(ArgumentError::new(self.operation, missing, "is missing"));
        }
        // A template may have a query. Its values are encoded and contain no `?`.
        let (path, fixed) = self.path.split_once('?').unwrap_or((&self.path, ""));
        #[cfg(feature = "paging")]
        let link = self.link.as_deref();
        #[cfg(not(feature = "paging"))]
        let link: Option<&str> = None;
        let fixed = if link.is_some() { "" } else { fixed };
        let parts = self.query.iter().map(|part| part.text.as_str());
        let query = std::iter::once(fixed)
            .chain(parts)
            .filter(|part| !part.is_empty());
        if let Some(segment) = dot_segment(path) {
            return Err(self.no_segment(segment));
        }
        // All parts are encoded, so only the length can be wrong.
        let uri = match link {
            Some(link) => base_url.join_origin(link, query),
            None => base_url.join(path, query),
        };
        let Ok(uri) = uri else {
            return Err(self.too_long());
        };

        let mut message = http::Request::new(self.body.clone());
        #[cfg(feature = "uploads")]
        if let Some(upload) = &self.upload {
            if upload.is_spent() {
                let problem = "was sent already and cannot be read again: a body from a file can";
                return Err(ArgumentError::new(self.operation, "body", problem));
            }
            message.extensions_mut().insert(upload.clone());
        }
        *message.method_mut() = self.operation.method.clone();
        *message.uri_mut() = uri;
        *message.headers_mut() = client_headers.with(&self.headers);
        let headers = message.headers_mut();
        if let Some(accept) = &self.accept {
            headers.insert(ACCEPT, accept.clone());
        }
        if !self.cookies.is_empty() {
            // All cookies share one header, including those of the client.
            let own = headers
                .get(COOKIE)
                .and_then(|cookies| cookies.to_str().ok());
            let is_sensitive = headers.get(COOKIE).is_some_and(HeaderValue::is_sensitive);
            let cookies: Vec<&str> = self.cookies.iter().map(String::as_str).chain(own).collect();
            // Each of its characters was checked.
            if let Ok(mut cookies) = HeaderValue::from_str(&cookies.join("; ")) {
                cookies.set_sensitive(is_sensitive);
                headers.insert(COOKIE, cookies);
            }
        }
        Ok(message)
    }

    /// Makes the error of a path in which values and the characters around them form a segment of dots.
    fn no_segment(&self, segment: usize) -> ArgumentError {
        let template = self.operation.path.split('/').nth(segment);
        let name = template.and_then(first_place).unwrap_or("path");
        let problem = "makes a segment `.` or `..`, which a path cannot hold";
        ArgumentError::new(self.operation, name, problem)
    }

    /// Makes the error of an address that is too long, or would be with its credentials. It names the longest argument.
    pub(crate) fn too_long(&self) -> ArgumentError {
        let parts = self.query.iter();
        let parts = parts.map(|part| (part.text.len(), part.parameter.as_str()));
        let longest = parts.chain([(self.path.len(), "path")]).max();
        let (size, name) = longest.unwrap_or_default();
        let problem = format!("takes {size} bytes of an address that exceeds 65,534 bytes");
        ArgumentError::new(self.operation, name, problem)
    }

    /// Returns whether there is a query parameter of this name.
    #[doc(hidden)]
    pub fn has_query(&self, name: &str) -> bool {
        self.query.iter().any(|part| part.parameter == name)
    }

    /// Returns the encoded part of the query for the parameters of these names.
    #[doc(hidden)]
    pub fn query_of<'n>(&self, names: impl Iterator<Item = &'n str>) -> String {
        let names: Vec<&str> = names.collect();
        let parts = self.query.iter();
        let named = parts.filter(|part| names.contains(&part.parameter.as_str()));
        let texts: Vec<&str> = named.map(|part| part.text.as_str()).collect();
        texts.join("&")
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

/// Returns the index of a segment `.` or `..`. Servers and proxies may resolve such segments, even if encoded, and so call another path.
pub(crate) fn dot_segment(path: &str) -> Option<usize> {
    path.split('/').position(|segment| {
        segment.starts_with(['.', '%'])
            && matches!(
                segment.to_ascii_lowercase().replace("%2e", ".").as_str(),
                "." | ".."
            )
    })
}

fn first_place(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once('{')?;
    let (name, _) = rest.split_once('}')?;
    Some(name)
}
