//! Webhooks: requests that the service makes itself. A [`Signature`] says who sent one.
//!
//! ```
//! use generated_client::http::HeaderMap;
//! use generated_client::webhooks::{Signature, WebhookError};
//!
//! # #[derive(Debug, serde::Deserialize)]
//! # struct Event { id: String }
//! fn receive(headers: &HeaderMap, body: &[u8], secret: &str) -> Result<Event, WebhookError> {
//!     Signature::STANDARD_WEBHOOKS.read(headers, body, secret)
//! }
//!
//! let refused = receive(&HeaderMap::new(), b"{}", "whsec_c2VjcmV0").unwrap_err();
//! assert!(refused.to_string().contains("no header `webhook-id`"));
//! ```

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use crate::decode::decode::decode;

/// The seconds that the time of a request may differ from the clock here, as in the libraries of Standard Webhooks.
const TOLERANCE: u64 = 5 * 60;

/// How a service signs its requests: by HMAC with SHA-256.
///
/// Texts contain `{body}`, `{id}`, `{timestamp}`, `{hex}` and `{base64}` in place of these values. The type can be written out for a service
/// whose document does not say how it signs:
///
/// ```
/// use generated_client::webhooks::{Signature, WebhookKey};
///
/// /// The header is `Acme-Signature: t=1764460800,v1=5257a869…`.
/// const ACME: Signature = Signature {
///     header: "Acme-Signature",
///     value: "v1={hex}",
///     signed: "{timestamp}.{body}",
///     id: None,
///     timestamp: Some("t="),
///     key: WebhookKey::Text,
/// };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The header of the signature, or of several, of which one has to be right: in several lines, or with signs between them that `value` does
    /// not have, commas or spaces.
    pub header: &'static str,
    /// The form of a signature, such as `sha256={hex}` or `v1,{base64}`.
    pub value: &'static str,
    /// What is signed, such as `{timestamp}.{body}`.
    pub signed: &'static str,
    /// The header of the request's identifier, if it is signed.
    pub id: Option<&'static str>,
    /// The header of the seconds since 1970, if they are signed; or how they begin in the header of the signature, such as `t=`.
    pub timestamp: Option<&'static str>,
    /// What a secret is.
    pub key: WebhookKey,
}

/// What a secret for webhooks is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookKey {
    /// The key itself.
    Text,
    /// The key in Base64, behind `whsec_` or alone.
    Base64,
}

/// A request is not from the service, or cannot be read. No message contains the secret or a signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// The request lacks a header, has it several times, or it has another form.
    #[error("the request has no header `{0}` of the form that it has to have")]
    Header(&'static str),
    /// No signature is that of this body with this secret.
    #[error("the signature is not that of this body with this secret")]
    Signature,
    /// The time of the request differs from the clock here by more than 5 minutes: an attacker may repeat an old request.
    #[error("the time of the request differs from the clock here by {seconds} s")]
    Time {
        /// The difference.
        seconds: u64,
    },
    /// The secret is empty, or not Base64.
    #[error("the secret is empty, or not in Base64 as it has to be")]
    Secret,
    /// The signature is right, and the body has no such type.
    #[error("the body at `{pointer}`: {message}")]
    Body {
        /// The JSON Pointer of the value; empty for the whole body.
        pointer: String,
        /// What is wrong with it.
        message: String,
    },
}

impl Signature {
    /// That of [Standard Webhooks](https://www.standardwebhooks.com).
    pub const STANDARD_WEBHOOKS: Self = Self {
        header: "webhook-signature",
        value: "v1,{base64}",
        signed: "{id}.{timestamp}.{body}",
        id: Some("webhook-id"),
        timestamp: Some("webhook-timestamp"),
        key: WebhookKey::Base64,
    };

    /// Checks the signature and the time of a request, and reads its body. Signatures are compared in constant time.
    ///
    /// The body has to be as it came, byte for byte. A service may send a request twice: its identifier is the same. The body is read as those of
    /// responses are: an optional member of another type than documented is left out.
    ///
    /// # Errors
    ///
    /// The request is not from the service, or older than 5 minutes, or its body is no `T`.
    pub fn read<T: DeserializeOwned>(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        secret: &str,
    ) -> Result<T, WebhookError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        self.verify(headers, body, secret, now.unwrap_or_default().as_secs())?;
        decode(body).map_err(|located| WebhookError::Body {
            pointer: located.pointer,
            message: located.message,
        })
    }

    /// Checks the signature and the time of a request. `now` is in seconds since 1970.
    fn verify(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        secret: &str,
        now: u64,
    ) -> Result<(), WebhookError> {
        let id = match self.id {
            Some(name) => only(headers, name)?,
            None => "",
        };
        let timestamp = self.timestamp(headers)?;
        let mac = self.mac(secret, id, timestamp.unwrap_or_default(), body)?;
        let given = all(headers, self.header)?;
        let parts = given.iter().flat_map(|line| self.parts(line));
        let mut signatures = parts.filter_map(|part| self.signature(part));
        if !signatures.any(|one| mac.clone().verify_slice(&one).is_ok()) {
            return Err(WebhookError::Signature);
        }
        // Afterwards: only the time of a signed request says anything.
        let Some(timestamp) = timestamp.filter(|_| self.signed.contains("{timestamp}")) else {
            return Ok(());
        };
        let sent: u64 = timestamp.parse().map_err(|_| self.malformed_time())?;
        let seconds = sent.abs_diff(now);
        if seconds > TOLERANCE {
            return Err(WebhookError::Time { seconds });
        }
        Ok(())
    }

    /// Returns the time as it was sent, if it is signed.
    fn timestamp<'h>(&self, headers: &'h HeaderMap) -> Result<Option<&'h str>, WebhookError> {
        let Some(name) = self.timestamp else {
            return Ok(None);
        };
        if !name.ends_with('=') {
            return only(headers, name).map(Some);
        }
        let given = all(headers, self.header)?;
        let mut parts = given.into_iter().flat_map(|line| line.split([',', ' ']));
        let time = parts.find_map(|part| part.strip_prefix(name));
        time.ok_or_else(|| self.malformed_time()).map(Some)
    }

    fn malformed_time(&self) -> WebhookError {
        let name = self.timestamp.filter(|name| !name.ends_with('='));
        WebhookError::Header(name.unwrap_or(self.header))
    }

    /// Returns the parts of the header that may be a signature: all of it, and what stands between the signs that no signature has.
    fn parts<'h>(&self, given: &'h str) -> impl Iterator<Item = &'h str> {
        let form = self.value;
        let between = given.split(move |sign| matches!(sign, ',' | ' ') && !form.contains(sign));
        [given].into_iter().chain(between)
    }

    /// Returns the bytes of a signature, if this is one.
    fn signature(&self, part: &str) -> Option<Vec<u8>> {
        if let Some((before, after)) = self.value.split_once("{base64}") {
            let text = part.strip_prefix(before)?.strip_suffix(after)?;
            return STANDARD.decode(text).ok();
        }
        let (before, after) = self.value.split_once("{hex}")?;
        let text = part.strip_prefix(before)?.strip_suffix(after)?;
        let pairs = text.as_bytes().chunks(2);
        let bytes = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
        bytes.collect()
    }

    /// Returns the code of what is signed.
    fn mac(
        &self,
        secret: &str,
        id: &str,
        timestamp: &str,
        body: &[u8],
    ) -> Result<Hmac<Sha256>, WebhookError> {
        let key = match self.key {
            WebhookKey::Text => secret.as_bytes().to_vec(),
            WebhookKey::Base64 => {
                let text = secret.strip_prefix("whsec_").unwrap_or(secret);
                STANDARD.decode(text).map_err(|_| WebhookError::Secret)?
            }
        };
        // Anybody can sign with an empty key.
        if key.is_empty() {
            return Err(WebhookError::Secret);
        }
        let mut mac = Hmac::new_from_slice(&key).map_err(|_| WebhookError::Secret)?;
        let mut rest = self.signed;
        while let Some((before, after)) = rest.split_once('{') {
            mac.update(before.as_bytes());
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match name {
                "body" => mac.update(body),
                "id" => mac.update(id.as_bytes()),
                "timestamp" => mac.update(timestamp.as_bytes()),
                _ => {}
            }
            rest = after;
        }
        mac.update(rest.as_bytes());
        Ok(mac)
    }
}

/// Returns the lines of a header.
fn all<'h>(headers: &'h HeaderMap, name: &'static str) -> Result<Vec<&'h str>, WebhookError> {
    let values = headers.get_all(name).iter();
    let lines: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    if lines.is_empty() {
        return Err(WebhookError::Header(name));
    }
    Ok(lines)
}

/// Returns the line of a header that has one.
fn only<'h>(headers: &'h HeaderMap, name: &'static str) -> Result<&'h str, WebhookError> {
    match all(headers, name)?.as_slice() {
        [only] => Ok(only),
        _ => Err(WebhookError::Header(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification of Standard Webhooks.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const NOW: u64 = 1_614_265_330;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let lines = lines.iter();
        lines
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    fn standard(signature: &str) -> HeaderMap {
        headers(&[
            ("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
            ("webhook-timestamp", "1614265330"),
            ("webhook-signature", signature),
        ])
    }

    const RIGHT: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    #[test]
    fn standard_webhooks_are_verified() {
        let verify = |signature: &str, body: &[u8], secret: &str, now: u64| {
            Signature::STANDARD_WEBHOOKS.verify(&standard(signature), body, secret, now)
        };
        assert_eq!(verify(RIGHT, BODY, SECRET, NOW), Ok(()));
        // A header in several lines.
        let mut headers = standard("v1,AAAA");
        headers.append("webhook-signature", RIGHT.parse().unwrap());
        let signature = Signature::STANDARD_WEBHOOKS;
        assert_eq!(signature.verify(&headers, BODY, SECRET, NOW), Ok(()));
        headers.append("webhook-id", "other".parse().unwrap());
        assert_eq!(
            signature.verify(&headers, BODY, SECRET, NOW),
            Err(WebhookError::Header("webhook-id"))
        );
        // Another version of the scheme, and another secret, before it.
        let several = format!("v1a,AAAA v1,AAAA {RIGHT}");
        assert_eq!(verify(&several, BODY, SECRET, NOW + 300), Ok(()));
        let wrong = Err(WebhookError::Signature);
        assert_eq!(verify(RIGHT, b"{}", SECRET, NOW), wrong);
        assert_eq!(verify(RIGHT, BODY, "whsec_AAAA", NOW), wrong);
        assert_eq!(verify("v1,", BODY, SECRET, NOW), wrong);
        assert_eq!(verify("", BODY, SECRET, NOW), wrong);
        for secret in ["", "whsec_", "whsec_?"] {
            let refused = Err(WebhookError::Secret);
            assert_eq!(verify(RIGHT, BODY, secret, NOW), refused, "{secret}");
        }
        for now in [NOW - 301, NOW + 301] {
            let refused = Err(WebhookError::Time { seconds: 301 });
            assert_eq!(verify(RIGHT, BODY, SECRET, now), refused);
        }
    }

    #[test]
    fn a_time_that_is_not_signed_is_not_believed() {
        let mut headers = standard(RIGHT);
        headers.insert("webhook-timestamp", (NOW + 1000).into());
        let refused = Signature::STANDARD_WEBHOOKS.verify(&headers, BODY, SECRET, NOW + 1000);
        assert_eq!(refused, Err(WebhookError::Signature));
    }

    /// The example of GitHub's documentation.
    #[test]
    fn a_body_is_verified_in_hexadecimal() {
        let signature = Signature {
            header: "X-Hub-Signature-256",
            value: "sha256={hex}",
            signed: "{body}",
            id: None,
            timestamp: None,
            key: WebhookKey::Text,
        };
        let value = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let verify = |value: &str| {
            let headers = headers(&[("x-hub-signature-256", value)]);
            signature.verify(&headers, b"Hello, World!", "It's a Secret to Everybody", 0)
        };
        assert_eq!(verify(value), Ok(()));
        let bare = value.replace("sha256=", "");
        let short = value.replace("3e17", "3e1");
        for wrong in [&*bare, &*short, "sha256=zz"] {
            assert_eq!(verify(wrong), Err(WebhookError::Signature), "{wrong}");
        }
    }

    #[test]
    fn a_time_may_be_in_the_header_of_the_signature() {
        let signature = Signature {
            header: "Acme-Signature",
            value: "v1={hex}",
            signed: "v0:{timestamp}:{body}",
            id: None,
            timestamp: Some("t="),
            key: WebhookKey::Text,
        };
        let mut mac = Hmac::<Sha256>::new_from_slice(b"secret").unwrap();
        mac.update(b"v0:1614265330:{}");
        let code: String = (mac.finalize().into_bytes().iter())
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let verify = |value: &str| {
            signature.verify(&headers(&[("acme-signature", value)]), b"{}", "secret", NOW)
        };
        assert_eq!(verify(&format!("t=1614265330,v1={code}")), Ok(()));
        assert_eq!(verify(&format!("t=1614265330, v1={code},v2=00")), Ok(()));
        assert_eq!(
            verify(&format!("v1={code}")),
            Err(WebhookError::Header("Acme-Signature"))
        );
        assert_eq!(
            verify(&format!("t=1614265331,v1={code}")),
            Err(WebhookError::Signature)
        );
    }
}
