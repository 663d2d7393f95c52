//! Error responses to refused calls. The provider documents neither status codes nor bodies of errors: these are made up.
//!
//! ```json
//! { "error": { "message": "…", "violations": [{ "parameter": "limit", "rule": "must be at most 100" }] } }
//! ```

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use checked_tests::Violation;
use company_intel::Credits;
use serde_json::json;

/// The reason why a call is refused. Never billed.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
    /// Parameter (in a body: property) and rule.
    violations: Vec<Violation>,
    allow: Option<HeaderValue>,
}

impl Refusal {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            violations: Vec::new(),
            allow: None,
        }
    }

    /// Refuses a path that is not UTF-8, or a body that is too long or breaks off.
    pub(crate) fn unread(status: StatusCode, message: &str) -> Self {
        Self::new(status, message)
    }

    pub(crate) fn key(header: &str) -> Self {
        let message = format!("the header {header} is missing or holds another key");
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// Refuses a call that costs more than is left of the key's balance.
    pub(crate) fn balance(left: Credits, price: Credits) -> Self {
        let message = format!("the call costs {price} credits, and the key has {left} left");
        Self::new(StatusCode::PAYMENT_REQUIRED, message)
    }

    pub(crate) fn host(name: &str) -> Self {
        let message = format!(
            "`{name}` is not a name of this sandbox: start it with `--allow-host {name}` (`Builder::allow_host`) if it should be"
        );
        Self::new(StatusCode::MISDIRECTED_REQUEST, message)
    }

    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, what)
    }

    /// Refuses a method. `allowed` lists the methods of the path, separated by commas.
    pub(crate) fn method(allowed: &str) -> Self {
        let message = format!("this path takes {allowed}");
        Self {
            allow: HeaderValue::from_str(allowed).ok(),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, message)
        }
    }

    pub(crate) fn arguments(violations: Vec<Violation>) -> Self {
        let message = "the arguments are not what the document asks for";
        Self {
            violations,
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
        }
    }

    pub(crate) fn argument(parameter: &str, rule: impl Into<String>) -> Self {
        Self::arguments(vec![Violation::new(parameter, rule)])
    }

    pub(crate) fn no_data(operation: &str) -> Self {
        let message = format!(
            "the sandbox has no sample data for the operation {operation}, and its response has no schema"
        );
        Self::new(StatusCode::NOT_IMPLEMENTED, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let violations: Vec<_> = self
            .violations
            .iter()
            .map(|violation| {
                let place = violation.place.strip_prefix("body/");
                let place = place.unwrap_or(&violation.place);
                json!({"parameter": place, "rule": violation.rule})
            })
            .collect();
        let body = json!({"error": {"message": self.message, "violations": violations}});
        let mut response = (self.status, Json(body)).into_response();
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, allow);
        }
        response
    }
}
