//! Error responses of the service.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A status code, and the problem in its body.
pub(super) struct Refusal(StatusCode, Value);

impl Refusal {
    pub(super) fn of(status: StatusCode, title: &str) -> Self {
        let fields = json!({"id": ["unknown", title]});
        Self(
            status,
            json!({"title": title, "status": status.as_u16(), "fields": fields}),
        )
    }

    pub(super) fn bad(title: &str) -> Self {
        Self::of(StatusCode::BAD_REQUEST, title)
    }

    /// Returns an error whose body is not a problem.
    pub(super) fn too_large(limit: u32) -> Self {
        Self(StatusCode::PAYLOAD_TOO_LARGE, json!({"limit": limit}))
    }

    pub(super) fn broken(error: impl std::fmt::Display) -> Self {
        Self::bad(&error.to_string())
    }

    pub(super) fn response(self) -> Response {
        let media_type = [(header::CONTENT_TYPE, "application/problem+json")];
        (self.0, media_type, self.1.to_string()).into_response()
    }
}

/// Refuses a header that is missing, occurs twice or has another value.
pub(super) fn is(headers: &HeaderMap, name: &str, expected: &str) -> Result<(), Refusal> {
    let values: Vec<_> = headers.get_all(name).iter().collect();
    match values.as_slice() {
        [value] if *value == expected => Ok(()),
        _ => Err(Refusal::bad(&format!("{name} is {values:?}"))),
    }
}
