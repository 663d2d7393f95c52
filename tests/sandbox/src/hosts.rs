//! Under which names a sandbox responds. A page of the web that makes its own name point here (DNS rebinding) gets nothing.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;

use crate::refusal::Refusal;

/// The names of one sandbox.
pub(crate) struct Hosts {
    /// What it listens on.
    bound: IpAddr,
    /// Names that its caller gave it.
    names: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(bound: IpAddr, names: Vec<String>) -> Self {
        Self { bound, names }
    }

    /// Whether a header `Host`, with or without a port, names this sandbox.
    fn is_own(&self, header: &str) -> bool {
        let host = bare(header);
        if let Ok(address) = host.parse::<IpAddr>() {
            // An address points nowhere else, and one that listens on all addresses does not know which of them are its own.
            return address.is_loopback() || address == self.bound || self.bound.is_unspecified();
        }
        let mut names = self.names.iter().map(String::as_str);
        host.eq_ignore_ascii_case("localhost")
            || names.any(|name| bare(name).eq_ignore_ascii_case(host))
    }
}

/// A host without its port, and an IPv6 address without its brackets.
fn bare(header: &str) -> &str {
    if let Some((address, _)) = header
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        return address;
    }
    match header.split_once(':') {
        Some((host, port)) if !port.contains(':') => host,
        _ => header,
    }
}

/// Refuses all requests under other names, whatever they are for. A request without the header comes from no browser.
pub(crate) fn guarded(router: Router, hosts: Hosts) -> Router {
    let hosts = Arc::new(hosts);
    router.layer(from_fn(move |request: Request, next: Next| {
        let named = request.headers().get_all(HOST).iter();
        let other = named
            .map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned())
            .find(|host| !hosts.is_own(host));
        async move {
            match other {
                Some(host) => Refusal::host(bare(&host)).into_response(),
                None => next.run(request).await,
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_loopback_of_the_address_and_given_ones() {
        let own = |bound: &str, host: &str| {
            Hosts::new(bound.parse().unwrap(), vec!["Sandbox.test".to_owned()]).is_own(host)
        };
        for host in [
            "localhost",
            "LOCALHOST:8787",
            "127.0.0.1:1",
            "127.9.9.9",
            "[::1]:80",
            "[::1]",
            "sandbox.test:8787",
        ] {
            assert!(own("127.0.0.1", host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8787",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.7",
            "0.0.0.0",
            "",
            "sandbox.test.evil.example",
            "[2001:db8::1]:80",
        ] {
            assert!(!own("127.0.0.1", host), "{host}");
        }
        assert!(own("10.0.0.7", "10.0.0.7:8787") && !own("10.0.0.7", "10.0.0.8:8787"));
        assert!(own("0.0.0.0", "10.0.0.8:8787") && !own("0.0.0.0", "evil.example"));
    }
}
