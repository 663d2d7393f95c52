//! How calls are compared: a stored response answers an equal one, and a journal has the calls for one website together.

#[cfg(feature = "cache")]
use http::header::HeaderName;
use percent_encoding::percent_decode_str;

use crate::request::request::{QueryPart, Request};
#[cfg(feature = "cache")]
use crate::transport::encode::encode;
use crate::values::website;

impl Request {
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
}
