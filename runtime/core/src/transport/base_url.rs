//! The base URL of an API: its validation, and the addresses of operations below it.

use std::fmt;

use bytes::Bytes;
use http::Uri;
use http::uri::{Parts, PathAndQuery};
use url::{Host, Url};

use crate::error::ConfigurationError;

/// The longest address of a request.
const LONGEST: usize = 65_534;

/// Scheme, host, port and path prefix.
#[derive(Clone)]
pub(crate) struct BaseUrl {
    url: Url,
    /// The URL without a trailing slash.
    text: String,
    /// The same, from which requests take scheme, host and port.
    uri: Uri,
}

/// The address of a request would be too long, perhaps with its credentials.
#[derive(Debug)]
pub(crate) struct TooLong;

fn refuse(problem: &'static str) -> Result<BaseUrl, ConfigurationError> {
    Err(ConfigurationError::Address { problem })
}

impl BaseUrl {
    /// Parses a base URL. Plain `http` is allowed to this machine and to `plain_hosts`. Errors never quote the input, which may contain a
    /// password or be a misplaced key.
    pub(crate) fn parse(input: &str, plain_hosts: &[String]) -> Result<Self, ConfigurationError> {
        if input.contains(['{', '}']) {
            return refuse("has a variable in braces, which needs a value");
        }
        let Ok(url) = Url::parse(input) else {
            return refuse("is not an absolute URL");
        };
        let is_plain = url.scheme() == "http";
        if !is_plain && url.scheme() != "https" {
            return refuse("is neither https nor http");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse("holds a user name or a password");
        }
        if url.query().is_some() {
            return refuse("has a query");
        }
        if url.fragment().is_some() {
            return refuse("has a fragment");
        }
        if is_plain && !may_be_plain(&url, plain_hosts) {
            return refuse(
                "is plain http to another machine, which would show the key to the network: use https, or `ClientBuilder::allow_plain_http`",
            );
        }
        let text = url.as_str().trim_end_matches('/').to_owned();
        let Ok(uri) = text.parse() else {
            return refuse("cannot be used for a request");
        };
        Ok(Self { url, text, uri })
    }

    /// Returns whether requests to it are unencrypted: to this machine, or to a host that the caller allows.
    pub(crate) fn is_plain_text(&self) -> bool {
        self.url.scheme() == "http"
    }

    /// Returns the complete URL, without a trailing slash.
    #[cfg(feature = "full")]
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Returns the port, even if only the scheme implies it.
    pub(crate) fn port(&self) -> Option<u16> {
        self.url.port_or_known_default()
    }

    /// Returns whether both have the same scheme, host and port.
    pub(crate) fn is_of_origin(&self, other: &Self) -> bool {
        self.url.origin() == other.url.origin()
    }

    /// Returns the address of a request. It appends, because resolving the path as a link would drop the base URL's own path.
    pub(crate) fn join<'q>(
        &self,
        path: &str,
        query: impl Iterator<Item = &'q str> + Clone,
    ) -> Result<Uri, TooLong> {
        self.joined(self.prefix(), path, query)
    }

    /// Returns the path of the base URL, without a trailing slash.
    fn prefix(&self) -> &str {
        self.url.path().trim_end_matches('/')
    }

    /// Returns the address of a path at the same origin.
    pub(crate) fn join_origin<'q>(
        &self,
        path: &str,
        query: impl Iterator<Item = &'q str> + Clone,
    ) -> Result<Uri, TooLong> {
        self.joined("", path, query)
    }

    /// Joins the parts of an address at the same origin; those of the query are encoded.
    fn joined<'q>(
        &self,
        prefix: &str,
        path: &str,
        query: impl Iterator<Item = &'q str> + Clone,
    ) -> Result<Uri, TooLong> {
        let marked: usize = query.clone().map(|part| 1 + part.len()).sum();
        // A path without a slash would continue the name of the host.
        let is_rooted = path.starts_with('/') || (path.is_empty() && !prefix.is_empty());
        let slash = if is_rooted { "" } else { "/" };
        let length = prefix.len() + slash.len() + path.len() + marked;
        let origin = self.text.len() - self.prefix().len();
        if origin + length > LONGEST {
            return Err(TooLong);
        }
        // An address that fills its memory is taken over as it is.
        let mut text = String::with_capacity(length);
        text.extend([prefix, slash, path]);
        let mut mark = "?";
        for part in query {
            text.extend([mark, part]);
            mark = "&";
        }
        let path_and_query = PathAndQuery::from_maybe_shared(Bytes::from(text));
        let mut parts = Parts::default();
        parts.scheme = self.uri.scheme().cloned();
        parts.authority = self.uri.authority().cloned();
        parts.path_and_query = Some(path_and_query.map_err(|_| TooLong)?);
        Uri::from_parts(parts).map_err(|_| TooLong)
    }

    /// Returns whether a URL has the same scheme, host and port, and no user name or password.
    #[cfg(feature = "paging")]
    pub(crate) fn is_origin_of(&self, url: &Url) -> bool {
        self.url.origin() == url.origin() && url.username().is_empty() && url.password().is_none()
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// Returns whether an address may use plain `http`: it is on this machine, or the caller allows its host.
pub(crate) fn may_be_plain(url: &Url, plain_hosts: &[String]) -> bool {
    is_loopback(url) || is_one_of(plain_hosts, url)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn is_one_of(hosts: &[String], url: &Url) -> bool {
    fn bare(host: &str) -> &str {
        host.trim_start_matches('[').trim_end_matches(']')
    }
    let host = url.host_str().map(bare);
    let mut hosts = hosts.iter();
    host.is_some_and(|host| hosts.any(|one| bare(one).eq_ignore_ascii_case(host)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(input: &str) -> Result<BaseUrl, ConfigurationError> {
        BaseUrl::parse(input, &[])
    }

    fn joined(base: &str) -> String {
        let base = parse(base).unwrap();
        base.join("/v1/things", ["limit=1"].into_iter())
            .unwrap()
            .to_string()
    }

    #[test]
    fn paths_are_appended_to_the_path_of_the_base_url() {
        for (base, expected) in [
            ("https://h", "https://h/v1/things?limit=1"),
            ("https://h/", "https://h/v1/things?limit=1"),
            ("https://h/api", "https://h/api/v1/things?limit=1"),
            ("https://h/api/", "https://h/api/v1/things?limit=1"),
            ("https://h:8443/a/b", "https://h:8443/a/b/v1/things?limit=1"),
            ("HTTPS://H/Api", "https://h/Api/v1/things?limit=1"),
            ("https://h/a b", "https://h/a%20b/v1/things?limit=1"),
        ] {
            assert_eq!(joined(base), expected, "{base}");
        }
    }

    #[test]
    fn a_path_never_continues_the_host() {
        let base = parse("https://h").unwrap();
        for path in [".example.com/a", "@example.com/a", ":1/a"] {
            let address = base.join(path, std::iter::empty()).unwrap();
            assert_eq!(address.to_string(), format!("https://h/{path}"));
        }
    }

    #[test]
    fn a_link_is_appended_to_the_origin() {
        for (base, origin) in [
            ("https://h", "https://h"),
            ("https://h/api/v1", "https://h"),
            ("http://[::1]:8080/api", "http://[::1]:8080"),
        ] {
            let base = parse(base).unwrap();
            let uri = base
                .join_origin("/v2/things", ["page=2"].into_iter())
                .unwrap();
            assert_eq!(uri.to_string(), format!("{origin}/v2/things?page=2"));
        }
    }

    #[test]
    fn urls_are_of_an_origin_by_scheme_host_and_port() {
        let base = parse("https://h/api").unwrap();
        for (url, is_of_origin) in [
            ("https://h/other", true),
            ("https://H:443/", true),
            ("http://h/api", false),
            ("https://h:444/api", false),
            ("https://h.example.com/api", false),
            ("https://key@h/api", false),
            ("https://:key@h/api", false),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(base.is_origin_of(&url), is_of_origin, "{url}");
        }
    }

    #[test]
    fn a_request_without_a_query_has_no_question_mark() {
        let base = parse("https://h").unwrap();
        assert_eq!(
            base.join("/v1", [].into_iter()).unwrap().to_string(),
            "https://h/v1"
        );
    }

    #[test]
    fn plain_http_reaches_this_machine_only() {
        for base in [
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://127.9.9.9:1",
            "http://[::1]:8080/api",
        ] {
            assert!(parse(base).unwrap().is_plain_text(), "{base}");
        }
        for base in [
            "http://example.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://128.0.0.1",
            "http://0.0.0.0",
            "http://[::2]",
        ] {
            let error = parse(base).unwrap_err().to_string();
            assert!(error.contains("plain http"), "{base}: {error}");
        }
        assert!(!parse("https://localhost").unwrap().is_plain_text());
    }

    #[test]
    fn plain_http_reaches_only_allowed_hosts() {
        let hosts = [
            "Gateway.internal".to_owned(),
            "10.0.0.7".to_owned(),
            "fd00::1".to_owned(),
        ];
        for base in [
            "http://gateway.internal:8080/api",
            "http://GATEWAY.INTERNAL",
            "http://10.0.0.7",
            "http://[fd00::1]:1",
            "http://localhost",
        ] {
            assert!(
                BaseUrl::parse(base, &hosts).unwrap().is_plain_text(),
                "{base}"
            );
        }
        for base in [
            "http://x.gateway.internal",
            "http://gateway.internal.example.com",
            "http://10.0.0.70",
            "http://[fd00::2]",
            "ftp://gateway.internal",
        ] {
            BaseUrl::parse(base, &hosts).unwrap_err();
        }
        let secure = BaseUrl::parse("https://gateway.internal", &hosts).unwrap();
        assert!(!secure.is_plain_text());
    }

    #[test]
    fn an_invalid_base_url_is_refused_without_being_quoted() {
        for (base, problem) in [
            ("", "absolute"),
            ("canary.example.com", "absolute"),
            ("/canary", "absolute"),
            ("https://", "absolute"),
            ("https://{canary}.h", "variable in braces"),
            ("https://h/{canary}", "variable in braces"),
            ("ftp://canary", "neither https nor http"),
            ("canary:8080", "neither https nor http"),
            ("https://canary@h", "user name"),
            ("https://:canary@h", "password"),
            ("https://h/?key=canary", "query"),
            ("https://h/?", "query"),
            ("https://h/#canary", "fragment"),
        ] {
            let error = parse(base).unwrap_err().to_string();
            assert!(error.contains(problem), "{base}: {error}");
            assert!(!error.contains("canary"), "{base}: {error}");
        }
    }
}
