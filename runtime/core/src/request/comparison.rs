//! How calls are compared: a stored response answers an equal one, and a journal has the calls for one website together.

use percent_encoding::percent_decode_str;

use crate::request::request::{QueryPart, Request};
#[cfg(feature = "cache")]
use crate::transport::encode::encode;
use crate::values::website;

/// Returns a request with the arguments by which equal calls are recognised.
#[cfg(feature = "cache")]
pub(crate) fn with_canonical_arguments(request: &Request) -> Request {
    let mut canonical = request.clone();
    for part in &mut canonical.query {
        if let Some(website) = website_of(request, part)
            && let Some((name, _)) = part.text.split_once('=')
        {
            part.text = format!("{name}={}", encode(&website));
        }
    }
    canonical
}

/// Returns whether a parameter of a call names this website, in any spelling.
#[cfg(feature = "journal")]
pub(crate) fn names_website(request: &Request, canonical: &str) -> bool {
    let parts = request.query.iter();
    let mut websites = parts.filter_map(|part| website_of(request, part));
    websites.any(|website| website == canonical)
}

/// Returns the website that a parameter names, in the spelling by which it is compared.
fn website_of(request: &Request, part: &QueryPart) -> Option<String> {
    if !request.websites.contains(&part.parameter.as_str()) {
        return None;
    }
    let (_, value) = part.text.split_once('=')?;
    website(&percent_decode_str(value).decode_utf8_lossy())
}

/// Returns whether a body is read while it is sent.
#[cfg(feature = "cache")]
pub(crate) fn is_upload(request: &Request) -> bool {
    #[cfg(feature = "uploads")]
    return request.upload.is_some();
    #[cfg(not(feature = "uploads"))]
    false
}

/// Returns whether a call takes JSON and nothing else.
#[cfg(feature = "cache")]
pub(crate) fn takes_json(request: &Request) -> bool {
    request.accept.is_none()
}
