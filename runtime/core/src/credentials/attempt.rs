//! The credentials of one attempt, and their places in the request.

use std::str::FromStr;
#[cfg(feature = "tokens")]
use std::sync::Arc;

use bytes::Bytes;
#[cfg(feature = "tokens")]
use http::header::AUTHORIZATION;
use http::header::{COOKIE, HeaderName, HeaderValue};
use http::uri::PathAndQuery;
use secrecy::{ExposeSecret, SecretString};

use crate::credentials::header::sensitive;
#[cfg(feature = "tokens")]
use crate::credentials::refresh::{CachedToken, TokenCell};
use crate::transport::encode::encode;
use crate::transport::transport::SecretQuery;

/// One credential in its wire form. It is never shown.
#[derive(Clone)]
pub(crate) enum Part {
    Header(HeaderName, HeaderValue),
    /// The value is not encoded yet.
    Query(&'static str, SecretString),
    Cookie(&'static str, SecretString),
}

#[derive(Clone, Default)]
pub(crate) struct AttemptCredentials {
    pub(super) parts: Vec<Part>,
    #[cfg(feature = "tokens")]
    pub(super) tokens: Vec<(Arc<TokenCell>, Arc<CachedToken>)>,
}

/// The address would become too long with the credential.
#[derive(Debug)]
pub(crate) struct TooLong;

impl AttemptCredentials {
    /// Adds the credentials to a request, replacing existing values.
    pub(crate) fn apply_to(&self, message: &mut http::Request<Bytes>) -> Result<(), TooLong> {
        #[cfg(feature = "tokens")]
        for (_, cached) in &self.tokens {
            let value = cached.header.clone();
            message.headers_mut().insert(AUTHORIZATION, value);
        }
        for part in &self.parts {
            match part {
                Part::Header(name, value) => {
                    message.headers_mut().insert(name.clone(), value.clone());
                }
                Part::Query(name, value) => query(message, name, value)?,
                Part::Cookie(name, value) => cookie(message, name, value)?,
            }
        }
        Ok(())
    }
}

#[cfg(feature = "tokens")]
impl AttemptCredentials {
    /// Returns whether one of the tokens comes from a provider, which may supply another one.
    pub(crate) fn is_renewable(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Returns whether a token expires soon, has expired, or was refused or replaced.
    pub(crate) fn is_stale(&self) -> bool {
        let mut tokens = self.tokens.iter();
        tokens.any(|(cell, cached)| !cell.is_current(cached))
    }

    /// Notes that the service accepted the tokens.
    pub(crate) fn accept(&self) {
        for (cell, cached) in &self.tokens {
            cell.accept(cached);
        }
    }

    /// Notes that the service refused the tokens, without knowing which of them.
    pub(crate) fn refuse(&self) {
        for (cell, cached) in &self.tokens {
            cell.refuse(cached);
        }
    }

    /// Returns whether the token strings are equal, so that they would be refused again.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.tokens.len() == other.tokens.len()
            && self
                .tokens
                .iter()
                .zip(&other.tokens)
                .all(|((_, one), (_, other))| one.is_same(other))
    }
}

fn query(
    message: &mut http::Request<Bytes>,
    name: &'static str,
    value: &SecretString,
) -> Result<(), TooLong> {
    let encoded = encode(&name);
    let uri = message.uri();
    let pairs = uri.query().unwrap_or_default().split('&');
    let pairs = pairs.filter(|pair| is_other(pair, &encoded));
    let own = format!("{encoded}={}", encode(&value.expose_secret()));
    let pairs: Vec<&str> = pairs.chain([own.as_str()]).collect();
    let path_and_query = format!("{}?{}", uri.path(), pairs.join("&"));
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::from_str(&path_and_query).map_err(|_| TooLong)?);
    *message.uri_mut() = http::Uri::from_parts(parts).map_err(|_| TooLong)?;
    let known = message
        .extensions_mut()
        .get_or_insert_default::<SecretQuery>();
    known.0.push(encoded);
    Ok(())
}

/// Returns whether a pair has another name.
fn is_other(pair: &str, name: &str) -> bool {
    pair.split('=').next() != Some(name) && !pair.is_empty()
}

/// All cookies share one header.
fn cookie(
    message: &mut http::Request<Bytes>,
    name: &'static str,
    value: &SecretString,
) -> Result<(), TooLong> {
    let headers = message.headers().get_all(COOKIE);
    let sent = headers.iter().filter_map(|value| value.to_str().ok());
    let sent = sent.flat_map(|value| value.split(';').map(str::trim));
    let sent = sent.filter(|pair| is_other(pair, name));
    let own = format!("{name}={}", value.expose_secret());
    let pairs: Vec<&str> = sent.chain([own.as_str()]).collect();
    let value = sensitive(&pairs.join("; ")).ok_or(TooLong)?;
    message.headers_mut().insert(COOKIE, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(uri: &str, parts: Vec<Part>) -> http::Request<Bytes> {
        let mut message = http::Request::new(Bytes::new());
        *message.uri_mut() = uri.parse().unwrap();
        message
            .headers_mut()
            .insert(COOKIE, HeaderValue::from_static("a=1; sid=other; b=2"));
        let grant = AttemptCredentials {
            parts,
            ..AttemptCredentials::default()
        };
        grant.apply_to(&mut message).unwrap();
        message
    }

    #[test]
    fn a_key_in_the_query_comes_last_encoded_and_once() {
        for (uri, expected) in [
            ("https://h/v1", "https://h/v1?api%20key=a%2Fb%3D"),
            ("https://h/?x=1", "https://h/?x=1&api%20key=a%2Fb%3D"),
            (
                "https://h/v1?api%20key=mine&y=%20&api%20keys=2",
                "https://h/v1?y=%20&api%20keys=2&api%20key=a%2Fb%3D",
            ),
        ] {
            let message = sent(uri, vec![Part::Query("api key", "a/b=".into())]);
            assert_eq!(message.uri().to_string(), expected);
        }
    }

    #[test]
    fn cookies_share_one_header_that_is_sensitive() {
        let message = sent("https://h/", vec![Part::Cookie("sid", "abc".into())]);
        let cookies: Vec<_> = message.headers().get_all(COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1; b=2; sid=abc"]);
        assert!(cookies[0].is_sensitive());
    }

    #[test]
    fn an_address_is_too_long_without_room_for_the_key() {
        let mut message = http::Request::new(Bytes::new());
        *message.uri_mut() = "https://h/".parse().unwrap();
        let key = "k".repeat(70_000);
        let grant = AttemptCredentials {
            parts: vec![Part::Query("key", key.into())],
            ..AttemptCredentials::default()
        };
        grant.apply_to(&mut message).unwrap_err();
    }
}
