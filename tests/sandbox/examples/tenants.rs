//! A web service whose customers have a budget each: `cargo run -p company-intel-sandbox --example tenants`.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use company_intel::{Client, Credits, Error};
use company_intel_sandbox::Sandbox;

type Tenants = Arc<HashMap<&'static str, Client>>;

async fn headcount(
    State(tenants): State<Tenants>,
    Path((tenant, company)): Path<(String, String)>,
) -> Result<Json<Option<i64>>, (StatusCode, String)> {
    let unknown = || (StatusCode::UNAUTHORIZED, "who are you?".to_owned());
    let client = tenants.get(tenant.as_str()).ok_or_else(unknown)?;
    match client.headcount_trends(company).send().await {
        Ok(response) => Ok(Json(response.body.data.total_employees)),
        Err(error) => Err((status_of(&error), error.to_string())),
    }
}

/// Returns the status for the customer. No error message contains the key of the service.
fn status_of(error: &Error) -> StatusCode {
    match error {
        Error::Argument(_) => StatusCode::BAD_REQUEST,
        _ if error.budget().is_some() => StatusCode::PAYMENT_REQUIRED,
        error if error.status() == Some(StatusCode::NOT_FOUND) => StatusCode::NOT_FOUND,
        error if error.is_retryable() => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_GATEWAY,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let all = Client::builder(sandbox.base_url()).api_key(sandbox.api_key());
    let all = all.budget(Credits::new(100)).build()?;
    let tenants = [("small", Credits::new(3)), ("large", Credits::new(50))];
    let tenants = tenants.map(|(name, limit)| (name, all.scoped(limit)));
    let app = Router::new()
        .route("/{tenant}/{company}", get(headcount))
        .with_state(Arc::new(HashMap::from(tenants)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, app).await });

    for tenant in ["small", "small", "large", "none"] {
        let response = reqwest::get(format!("http://{address}/{tenant}/example.com")).await?;
        println!("{tenant}: {} {}", response.status(), response.text().await?);
    }
    println!("{:?}", all.budget().usage());
    Ok(())
}
