//! The id that a service assigns to a request, for support questions.

use http::{HeaderMap, HeaderName, HeaderValue};

/// Header names that common services and gateways use.
const NAMES: [HeaderName; 5] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("request-id"),
    HeaderName::from_static("x-correlation-id"),
    HeaderName::from_static("x-amzn-requestid"),
    HeaderName::from_static("cf-ray"),
];
/// Longer values are not request ids.
const LONGEST: usize = 128;

/// Returns the raw request id from the response headers. `None` if it contains a secret of the client: such headers are marked once the
/// call has ended.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<&str> {
    let id = NAMES.iter().find_map(|name| headers.get(name));
    id.filter(|id| !HeaderValue::is_sensitive(id) && id.len() <= LONGEST)?
        .to_str()
        .ok()
}
