//! The message of a request: its address, its headers and its body, or the reason why it cannot be sent.

use bytes::Bytes;
use http::header::{ACCEPT, COOKIE, HeaderMap, HeaderValue};

use crate::document::api::Auth;
use crate::error::ArgumentError;
use crate::request::client_headers::ClientHeaders;
use crate::request::extras::{self, Extras};
use crate::request::request::Request;
use crate::transport::base_url::BaseUrl;

impl Request {
    /// Adds the undocumented parameters and headers, after everything else.
    fn add_extras(&mut self, auth: Auth) {
        let Extras { query, headers } = std::mem::take(&mut self.options.extras);
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
        for (name, value) in headers {
            match extras::header(&name, &value, auth) {
                Err(problem) => _ = self.refuse(&name, problem),
                Ok((header, _)) if documented.contains_key(&header) || self.has_key_in(&header) => {
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
        if self.options.extras.is_empty() {
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
        let link = self.followed();
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
        self.add_cookies(headers);
        Ok(message)
    }

    /// Returns the path that replaces that of the operation.
    fn followed(&self) -> Option<&str> {
        #[cfg(feature = "paging")]
        return self.link.as_deref();
        #[cfg(not(feature = "paging"))]
        None
    }

    /// Adds the cookies to those of the client: all share one header.
    fn add_cookies(&self, headers: &mut HeaderMap) {
        if self.cookies.is_empty() {
            return;
        }
        let known = headers.get(COOKIE);
        let is_sensitive = known.is_some_and(HeaderValue::is_sensitive);
        let known = known.and_then(|cookies| cookies.to_str().ok());
        let cookies = self.cookies.iter().map(String::as_str).chain(known);
        let cookies: Vec<&str> = cookies.collect();
        // Each of its characters was checked.
        if let Ok(mut cookies) = HeaderValue::from_str(&cookies.join("; ")) {
            cookies.set_sensitive(is_sensitive);
            headers.insert(COOKIE, cookies);
        }
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
