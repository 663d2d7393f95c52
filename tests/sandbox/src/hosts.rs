//! Host names of a sandbox. A web page that resolves its own name to this address (DNS rebinding) is refused.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;

use crate::refusal::Refusal;

/// The host names of a sandbox.
pub(crate) struct Hosts {
    /// The address that it listens on.
    bound: IpAddr,
    /// Names added by the caller.
    names: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(bound: IpAddr, names: Vec<String>) -> Self {
        Self { bound, names }
    }

    /// Returns whether a `Host` header, with or without a port, names this sandbox.
    fn is_own(&self, header: &str) -> bool {
        let host = bare(header);
        if let Ok(address) = host.parse::<IpAddr>() {
            // An IP address cannot be rebound. A sandbox that listens on all addresses does not know which are its own.
            return address.is_loopback() || address == self.bound || self.bound.is_unspecified();
        }
        let mut names = self.names.iter().map(String::as_str);
        host.eq_ignore_ascii_case("localhost")
            || names.any(|name| bare(name).eq_ignore_ascii_case(host))
    }
}

/// Removes the port of a host, and the brackets of an IPv6 address.
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

/// Refuses every request under another name. Requests without the header come from no browser.
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
