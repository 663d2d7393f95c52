//! A cache, and a limit of requests in flight, as layers of tower around the transport of a client:
//! `cargo run -p generated-client --example tower_layers --features tower,test-util`.

use std::{collections::HashMap, sync::Arc};

use generated_client::document::{Api, Auth};
use generated_client::error::TransportError;
use generated_client::testing::{Reply, Script};
use generated_client::transport::{RequestBody, TransportService};
use generated_client::{Bytes, Client, ClientBuilder, Error, Method, http};
use tokio::sync::Mutex;
use tower::{Service, layer::layer_fn, limit::ConcurrencyLimitLayer, service_fn};

static API: Api = Api {
    name: "example",
    version: "1.0.0",
    environment: "EXAMPLE",
    base_url: None,
    auth: Auth::None,
    interceptor: None,
    operations: &[],
};

type Cache = Arc<Mutex<HashMap<http::Uri, Bytes>>>;
/// Returns the body of an earlier GET of the same address, or sends the request.
async fn cached(
    mut service: TransportService,
    cache: Cache,
    request: http::Request<RequestBody>,
) -> Result<http::Response<RequestBody>, TransportError> {
    let (uri, is_get) = (request.uri().clone(), request.method() == Method::GET);
    if let Some(body) = cache.lock().await.get(&uri).filter(|_| is_get) {
        return Ok(http::Response::new(body.clone().into()));
    }
    let (head, body) = service.call(request).await?.into_parts();
    let body = RequestBody::new(body, None).bytes().await?;
    if is_get && head.status.is_success() {
        cache.lock().await.insert(uri, body.clone());
    }
    Ok(http::Response::from_parts(head, body.into()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let (service, cache) = (Script::new([Reply::new(200, "[1, 2]")]), Cache::default());
    let caching = layer_fn(move |service: TransportService| {
        let cache = Arc::clone(&cache);
        service_fn(move |request| cached(service.clone(), Arc::clone(&cache), request))
    });
    let client: Client = ClientBuilder::new(&API, "https://api.example.com")
        .transport(service.clone())
        .layer(caching)
        .layer(ConcurrencyLimitLayer::new(4))
        .build()?;
    for _ in 0..3 {
        let call = client.raw(Method::GET, "/v1/things").send_bytes();
        println!("{:?}", call.await?.body);
    }
    println!("requests sent: {}", service.sent().len());
    Ok(())
}
