//! Tower layers around the transport of a client: a trace of each attempt, limits, and a cache.
//!
//! ```text
//! cargo run -p generated-client --example tower_layers --features tower,test-util
//! ```

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use generated_client::document::{Api, Auth};
use generated_client::error::TransportError;
use generated_client::testing::{Reply, Script};
use generated_client::transport::{RequestBody, TransportService};
use generated_client::{Bytes, Client, ClientBuilder, Error, Method, http};
use tower::layer::{Layer, layer_fn};
use tower::limit::ConcurrencyLimitLayer;
use tower::{Service, service_fn};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::trace::TraceLayer;
use tracing::Span;

static API: Api = Api {
    name: "example",
    version: "1.0.0",
    environment: "EXAMPLE",
    base_url: None,
    auth: Auth::None,
    interceptor: None,
};

type Kept = Arc<Mutex<HashMap<http::Uri, Bytes>>>;

/// Caches the bodies of successful GETs by their address, without expiry.
fn cache() -> impl Layer<
    TransportService,
    Service: Service<
        http::Request<RequestBody>,
        Response = http::Response<RequestBody>,
        Error = TransportError,
        Future: Send,
    > + Clone
                 + Send,
> + Send {
    let kept = Kept::default();
    layer_fn(move |service: TransportService| {
        let kept = Arc::clone(&kept);
        service_fn(move |request| get(service.clone(), Arc::clone(&kept), request))
    })
}

async fn get(
    mut service: TransportService,
    kept: Kept,
    request: http::Request<RequestBody>,
) -> Result<http::Response<RequestBody>, TransportError> {
    let uri = request.uri().clone();
    let is_get = request.method() == Method::GET;
    let found = lock(&kept).get(&uri).cloned();
    if let Some(body) = found.filter(|_| is_get) {
        return Ok(http::Response::new(body.into()));
    }
    let (head, body) = service.call(request).await?.into_parts();
    let body = RequestBody::new(body, None).bytes().await?;
    if is_get && head.status.is_success() {
        lock(&kept).insert(uri, body.clone());
    }
    Ok(http::Response::from_parts(head, body.into()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    // Leave out `transport` to call a real service.
    let service = Script::new([Reply::new(200, "[1, 2]")]);
    let trace = TraceLayer::new_for_http().on_response(
        |response: &http::Response<_>, latency: Duration, _: &Span| {
            println!("{} after {latency:?}", response.status());
        },
    );
    let client: Client = ClientBuilder::new(&API, "https://api.example.com")
        .transport(service.clone())
        .layer(cache())
        .layer(ConcurrencyLimitLayer::new(4))
        .layer(RequestBodyLimitLayer::new(1024 * 1024))
        .layer(trace)
        .build()?;
    for _ in 0..3 {
        let call = client.raw(Method::GET, "/v1/things");
        println!("{}", call.send::<serde_json::Value>().await?.body);
    }
    println!("requests sent: {}", service.sent().len());
    Ok(())
}
