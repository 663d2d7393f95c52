//! Values of headers that are credentials.

use http::header::HeaderValue;

/// `Bearer <token>`, of a token that is printable ASCII.
pub(super) fn bearer(token: &str) -> HeaderValue {
    sensitive(&format!("Bearer {token}")).unwrap_or_else(|| HeaderValue::from_static("Bearer"))
}

/// A value that `Debug` hides; `None` when it cannot stand in a header.
pub(super) fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}
