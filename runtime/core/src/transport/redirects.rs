//! Redirects of safe methods: their allowed targets, and the headers sent there.
//!
//! Credentials are dropped at another origin, and are not restored on the way back. The query of a request is never passed on, because it
//! may contain a key.

use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HeaderMap, HeaderName, LOCATION, RANGE, USER_AGENT,
};
use http::{Method, StatusCode, Uri};
use url::Url;

use crate::transport::base_url::may_be_plain;
use crate::transport::secrets::secrets;

/// The most redirects of one attempt.
pub(crate) const MOST: usize = 10;
/// The headers that are sent to another origin. Others are dropped, because they may be credentials.
const CROSSING: [HeaderName; 5] = [ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, RANGE, USER_AGENT];

/// The reason why the built-in transport did not follow a redirect. An extension of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotFollowed(pub(crate) &'static str);

/// The response comes from another origin than the one that was called, without its credentials. An extension of the response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OtherOrigin;

/// The path of a request through its redirects.
pub(super) struct Route<'h> {
    first: http::Request<()>,
    /// The addresses so far; the last one is the current one. Empty until the first redirect.
    visited: Vec<Url>,
    has_crossed: bool,
    plain_hosts: &'h [String],
}

impl<'h> Route<'h> {
    /// Starts a route; `None` for a request that is never redirected: its method is not safe, or it has a body.
    pub(super) fn of<B>(
        request: &http::Request<B>,
        has_body: bool,
        plain_hosts: &'h [String],
    ) -> Option<Self> {
        let is_safe = [Method::GET, Method::HEAD].contains(request.method());
        if !is_safe || has_body {
            return None;
        }
        let mut first = http::Request::new(());
        *first.method_mut() = request.method().clone();
        *first.uri_mut() = request.uri().clone();
        *first.headers_mut() = request.headers().clone();
        *first.extensions_mut() = request.extensions().clone();
        Some(Self {
            first,
            visited: Vec::new(),
            has_crossed: false,
            plain_hosts,
        })
    }

    /// Returns whether the current address is of another origin than the first one, or was reached through another one.
    pub(super) fn has_crossed(&self) -> bool {
        self.has_crossed
    }

    /// Returns the redirected request; `None` for a response that is not a redirect.
    pub(super) fn next<B>(
        &mut self,
        response: &http::Response<B>,
    ) -> Option<Result<http::Request<()>, NotFollowed>> {
        is_redirect(response.status()).then(|| {
            let location = response.headers().get(LOCATION);
            let location = location.ok_or("it names no address");
            let next = location.and_then(|location| self.follow(location.as_bytes()));
            next.map_err(NotFollowed)
        })
    }

    fn follow(&mut self, location: &[u8]) -> Result<http::Request<()>, &'static str> {
        const UNUSABLE: &str = "its address cannot be used for a request";
        if self.visited.is_empty() {
            let start = Url::parse(&self.first.uri().to_string()).map_err(|_| UNUSABLE)?;
            self.visited.push(start);
        }
        let [.., current] = self.visited.as_slice() else {
            return Err(UNUSABLE);
        };
        let location = str::from_utf8(location).map_err(|_| UNUSABLE)?;
        let mut next = current.join(location).map_err(|_| UNUSABLE)?;
        next.set_fragment(None);
        match next.scheme() {
            "https" if cfg!(any(feature = "rustls", feature = "rustls-no-provider")) => {}
            "https" => return Err("it leads to https, and the client was built without TLS"),
            "http" if current.scheme() == "https" => return Err("it leads from https to http"),
            "http" if may_be_plain(&next, self.plain_hosts) => {}
            "http" => return Err("it leads to plain http on another machine"),
            _ => return Err("it leads to an address that is neither https nor http"),
        }
        if !next.username().is_empty() || next.password().is_some() {
            return Err("its address holds a user name or a password");
        }
        if self.visited.contains(&next) {
            return Err("it leads back to an address that was visited");
        }
        if self.visited.len() > MOST {
            return Err("it is one more than 10 redirects");
        }
        let first = self.visited.first();
        if first.is_none_or(|first| first.origin() != next.origin()) {
            if secrets(&self.first).is_in(next.as_str().as_bytes()) {
                return Err("its address would reveal a credential to another origin");
            }
            self.has_crossed = true;
        }
        let mut request = http::Request::new(());
        *request.method_mut() = self.first.method().clone();
        *request.uri_mut() = Uri::try_from(next.as_str()).map_err(|_| UNUSABLE)?;
        *request.headers_mut() = self.headers();
        self.visited.push(next);
        Ok(request)
    }

    /// Returns the headers of the next request. At another origin, all are dropped that are not known to be harmless.
    fn headers(&self) -> HeaderMap {
        let all = self.first.headers();
        if !self.has_crossed {
            return all.clone();
        }
        let mut headers = HeaderMap::new();
        for name in CROSSING {
            let values = all.get_all(&name).iter();
            for value in values.filter(|value| !value.is_sensitive()) {
                headers.append(&name, value.clone());
            }
        }
        headers
    }
}

/// Returns whether a status leads to another address.
pub(crate) fn is_redirect(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    )
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::transport::transport::SecretQuery;

    fn request(uri: &str) -> http::Request<()> {
        let mut key = HeaderValue::from_static("Bearer canary-4711");
        key.set_sensitive(true);
        let mut agent = HeaderValue::from_static("canary-agent");
        agent.set_sensitive(true);
        let request = http::Request::get(uri)
            .header("authorization", key)
            .header("accept", "application/json")
            .header("accept-language", agent)
            .header("cookie", "a=b")
            .header("x-custom", "mine")
            .extension(SecretQuery(vec!["key".to_owned()]));
        request.body(()).unwrap()
    }

    fn to(location: &str) -> http::Response<()> {
        let response = http::Response::builder().status(302);
        response.header(LOCATION, location).body(()).unwrap()
    }

    fn follow(from: &str, location: &str) -> Result<http::Request<()>, &'static str> {
        let mut route = Route::of(&request(from), false, &[]).unwrap();
        let next = route.next(&to(location)).unwrap();
        next.map_err(|NotFollowed(why)| why)
    }

    fn names(request: &http::Request<()>) -> Vec<&str> {
        request.headers().keys().map(HeaderName::as_str).collect()
    }

    #[test]
    fn no_possible_credential_is_sent_to_another_origin() {
        for location in ["https://other/b", "https://h:444/b", "//sub.h/b"] {
            let next = follow("https://h/a", location).unwrap();
            assert_eq!(names(&next), ["accept"], "{location}");
        }
        let next = follow("http://localhost/a", "https://localhost/a").unwrap();
        assert_eq!(names(&next), ["accept"]);
    }

    #[test]
    fn some_redirects_are_not_followed() {
        let from = "https://h/a?key=canary%2F0815";
        for (location, why) in [
            ("http://h/a", "from https to http"),
            ("ftp://h/a", "neither"),
            ("https://u:p@h/a", "user name"),
            ("https://other/?k=canary-4711", "credential"),
            ("https://other/?k=canary/0815", "credential"),
            ("https://other/canary%252f0815", "credential"),
            ("https://", "cannot be used"),
            ("?key=canary%2F0815", "leads back"),
        ] {
            let error = follow(from, location).unwrap_err();
            assert!(error.contains(why), "{location}: {error}");
        }
        let error = follow("http://localhost/a", "http://example.com/").unwrap_err();
        assert!(error.contains("plain http"), "{error}");
        // The called origin already knows its key.
        follow(from, "/b?k=canary-4711").unwrap();
    }
}
