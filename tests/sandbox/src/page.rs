//! The sandbox in a browser: the bill, the latest calls, and, with the feature `explorer`, Swagger UI to try operations.

use std::sync::Arc;

#[cfg(not(feature = "explorer"))]
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
#[cfg(feature = "explorer")]
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::bill;
use crate::routes::{PREFIX, Service};

const DOCUMENT: &str = "/_sandbox/openapi.json";

/// Serves the page and its resources. None of it is billed.
pub(crate) fn router(service: &Arc<Service>) -> Router {
    let bill = service.clone();
    let calls = service.clone();
    // Calls go to the sandbox itself, not to the servers of the document.
    let mut document = service.document.served.0.clone();
    if let Some(document) = document.as_object_mut() {
        document.insert("servers".to_owned(), json!([{ "url": PREFIX }]));
    }
    Router::new()
        .route("/", get(Html(include_str!("page.html"))))
        .route(bill::PATH, get(async move || Json(bill.bill().to_json())))
        .route(
            "/_sandbox/calls",
            get(async move || Json(calls.latest().to_json())),
        )
        .route(DOCUMENT, get(async move || Json(document)))
        .merge(explorer())
}

#[cfg(feature = "explorer")]
fn explorer() -> Router {
    let config = Config::from(DOCUMENT);
    SwaggerUi::new("/_sandbox/explorer").config(config).into()
}

#[cfg(not(feature = "explorer"))]
fn explorer() -> Router {
    const MISSING: &str = "Start the sandbox with the feature `explorer`: \
        cargo run -p company-intel-sandbox --features explorer\n";
    Router::new().route("/_sandbox/explorer/", get((StatusCode::NOT_FOUND, MISSING)))
}
