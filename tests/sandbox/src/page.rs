//! The sandbox in a browser: the bill, the latest calls, and Swagger UI to try operations.

use std::sync::Arc;

use axum::response::Html;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use utoipa_swagger_ui::SwaggerUi;

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
    let explorer = SwaggerUi::new("/_sandbox/explorer").external_url_unchecked(DOCUMENT, document);
    Router::new()
        .route("/", get(Html(include_str!("page.html"))))
        .route(bill::PATH, get(async move || Json(bill.bill().to_json())))
        .route(
            "/_sandbox/calls",
            get(async move || Json(calls.latest().to_json())),
        )
        .merge(explorer)
}
