//! Header values that are credentials.

use http::header::HeaderValue;

/// Makes `Bearer <token>` from a token of printable ASCII.
pub(super) fn bearer(token: &str) -> HeaderValue {
    sensitive(&format!("Bearer {token}")).unwrap_or_else(|| HeaderValue::from_static("Bearer"))
}

/// Makes a value that `Debug` hides; `None` if it is not a valid header value.
pub(super) fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}
