//! A credential in its wire form, and its place in the request.

use std::str::FromStr;

use bytes::Bytes;
use http::header::{COOKIE, HeaderName, HeaderValue};
use http::uri::PathAndQuery;
use secrecy::{ExposeSecret, SecretString};

use crate::credentials::header::sensitive;
use crate::transport::base_url::TooLong;
use crate::transport::encode::encode;
use crate::transport::transport::SecretQuery;

/// One credential in its wire form. It is never shown.
pub(crate) enum Part {
    Header(HeaderName, HeaderValue),
    /// The value is not encoded yet.
    Query(&'static str, SecretString),
    Cookie(&'static str, SecretString),
}

impl Part {
    /// Adds the credential to a request, replacing existing values.
    pub(super) fn apply_to(&self, message: &mut http::Request<Bytes>) -> Result<(), TooLong> {
        match self {
            Self::Header(name, value) => {
                message.headers_mut().insert(name.clone(), value.clone());
                Ok(())
            }
            Self::Query(name, value) => query(message, name, value),
            Self::Cookie(name, value) => cookie(message, name, value),
        }
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

    fn sent(uri: &str, part: Part) -> http::Request<Bytes> {
        let mut message = http::Request::new(Bytes::new());
        *message.uri_mut() = uri.parse().unwrap();
        message
            .headers_mut()
            .insert(COOKIE, HeaderValue::from_static("a=1; sid=other; b=2"));
        part.apply_to(&mut message).unwrap();
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
            let message = sent(uri, Part::Query("api key", "a/b=".into()));
            assert_eq!(message.uri().to_string(), expected);
        }
    }

    #[test]
    fn cookies_share_one_header_that_is_sensitive() {
        let message = sent("https://h/", Part::Cookie("sid", "abc".into()));
        let cookies: Vec<_> = message.headers().get_all(COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1; b=2; sid=abc"]);
        assert!(cookies[0].is_sensitive());
    }

    #[test]
    fn an_address_is_too_long_without_room_for_the_key() {
        let mut message = http::Request::new(Bytes::new());
        *message.uri_mut() = "https://h/".parse().unwrap();
        let key = "k".repeat(70_000);
        let part = Part::Query("key", key.into());
        part.apply_to(&mut message).unwrap_err();
    }
}
