//! The id that a service gives a request, for questions to its provider.

use http::{HeaderMap, HeaderName, HeaderValue};

/// Header names that common services and gateways use.
const NAMES: [HeaderName; 5] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("request-id"),
    HeaderName::from_static("x-correlation-id"),
    HeaderName::from_static("x-amzn-requestid"),
    HeaderName::from_static("cf-ray"),
];
/// Longer values are something else.
const LONGEST: usize = 128;

/// Returns the request id in the headers of a response, as it arrived. `None` where the value holds a secret of the client, which its
/// header is marked for once the call has ended.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<&str> {
    let id = NAMES.iter().find_map(|name| headers.get(name));
    id.filter(|id| !HeaderValue::is_sensitive(id) && id.len() <= LONGEST)?
        .to_str()
        .ok()
}
