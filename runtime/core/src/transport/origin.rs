//! The origin of a client's requests, parsed once.

use std::sync::OnceLock;

use http::Uri;
use http::uri::{Authority, Scheme};
use url::Url;

/// The origin of the first request. Addresses of other origins are rare, and parsed each time.
#[derive(Default)]
pub(super) struct Origin(OnceLock<(Scheme, Authority, Url)>);

impl Origin {
    /// Parses an address; `None` if it is not a URL.
    pub(super) fn url(&self, address: &Uri) -> Option<Url> {
        if let Some((scheme, authority, origin)) = self.0.get()
            && address.scheme() == Some(scheme)
            && address.authority() == Some(authority)
        {
            let mut url = origin.clone();
            url.set_path(address.path());
            url.set_query(address.query());
            return Some(url);
        }
        let url = Url::parse(&address.to_string()).ok()?;
        if let (Some(scheme), Some(authority)) = (address.scheme(), address.authority()) {
            self.0.get_or_init(|| {
                let mut origin = url.clone();
                origin.set_path("");
                origin.set_query(None);
                (scheme.clone(), authority.clone(), origin)
            });
        }
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_origin_equals_the_parsed_address() {
        for start in [
            "https://h",
            "http://h:8080",
            "https://h:443",
            "HTTPS://Ex%41mple.COM",
            "http://[::1]:9",
            "http://127.1",
        ] {
            let origin = Origin::default();
            for rest in [
                "",
                "/",
                "?",
                "/?",
                "/v1/things?limit=1",
                "/a//b/",
                "//other.example/x",
                "/\\other.example/x",
                "/a/../b/./c",
                "/%2e%2E/x",
                "/a%20b%zz",
                "/a\\b",
                "/a;b=c:d@e",
                "/a|b\"c",
                "/v1?a=b&c='%27\"",
                "/v1?",
                "/v1?a?b/../c",
                "/ü?ö=ä",
                "/a{b}^`",
            ] {
                let Ok(address) = format!("{start}{rest}").parse::<Uri>() else {
                    continue;
                };
                let parsed = Url::parse(&address.to_string()).ok();
                for _ in 0..2 {
                    assert_eq!(origin.url(&address), parsed, "{address}");
                }
            }
            let other: Uri = "https://other.example/v1".parse().unwrap();
            assert_eq!(
                origin.url(&other),
                Url::parse("https://other.example/v1").ok()
            );
        }
    }
}
