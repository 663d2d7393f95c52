//! Layers of tower around the built-in transport, and services of tower in its place.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::error::TransportErrorKind;
use generated_client::request::{Body, Payload};
use generated_client::transport::RequestBody;
use generated_client::{Bytes, Client, ClientBuilder, Error, Method, Outcome, http};
use serde_json::Value;
use tokio::time::sleep;
use tower::limit::ConcurrencyLimitLayer;
use tower::service_fn;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::trace::TraceLayer;

use super::service::{PLAIN, PLAIN_LIST, Service, response};
use crate::support::api::{API, KEY};
use crate::support::scripted_client::{PAID, call};
use crate::support::sockets::deserted;

#[tokio::test]
async fn a_trace_layer_sees_each_attempt_and_passes_bodies_on() {
    let service = Service::of(|_| response(200, "", b"[1, 2]")).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (heads, chunks) = (Arc::clone(&seen), Arc::clone(&seen));
    let trace = TraceLayer::new_for_http()
        .on_request(|_: &http::Request<RequestBody>, _: &tracing::Span| {})
        .on_response(
            move |response: &http::Response<_>, _: Duration, _: &tracing::Span| {
                let _: &generated_client::transport::BodyStream = response.body();
                heads.lock().unwrap().push(response.status().to_string());
            },
        )
        .on_body_chunk(move |chunk: &Bytes, _: Duration, _: &tracing::Span| {
            let text = String::from_utf8_lossy(chunk).into_owned();
            chunks.lock().unwrap().push(text);
        });
    let client: Client = service.builder().layer(trace).build().unwrap();
    let response = call(&client, &PLAIN_LIST).await.unwrap();
    assert_eq!(response.body, Value::from(vec![1, 2]));
    assert_eq!(*seen.lock().unwrap(), ["200 OK", "[1, 2]"]);
    let mut stream = client.raw(Method::GET, "/").send_stream().await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), "[1, 2]");
}

#[tokio::test]
async fn a_layer_limits_how_many_requests_are_out() {
    let out = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (own, greatest) = (Arc::clone(&out), Arc::clone(&most));
    let service = service_fn(move |_: http::Request<RequestBody>| {
        let (out, most) = (Arc::clone(&own), Arc::clone(&greatest));
        async move {
            most.fetch_max(out.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_millis(20)).await;
            out.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, Infallible>(http::Response::new("null".to_owned()))
        }
    });
    let client: Client = ClientBuilder::new(&PLAIN, "https://example.com")
        .api_key(KEY)
        .service(service)
        .layer(ConcurrencyLimitLayer::new(2))
        .build()
        .unwrap();
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { call(&client, &PLAIN_LIST).await.unwrap() })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_upload_passes_through_layers_while_it_is_read() {
    let service = Service::of(|_| response(200, "", b"null")).await;
    let builder = service.builder().layer(TraceLayer::new_for_http());
    let client: Client = builder
        .layer(RequestBodyLimitLayer::new(100))
        .build()
        .unwrap();
    let body = Body::bytes(
        "text/plain",
        Payload::from_reader(std::io::Cursor::new("in parts"), None),
    );
    let call = client.raw(Method::PUT, "/").body(body);
    call.send::<Value>().await.unwrap();
    let received = &service.received()[0];
    assert!(received.head.contains("transfer-encoding: chunked"));
    assert_eq!(received.body, b"in parts");
}

#[tokio::test]
async fn the_errors_and_bounds_of_the_transport_pass_through_layers() {
    let (_kept, nowhere) = deserted();
    let builder = ClientBuilder::new(&API, nowhere).api_key(KEY);
    let builder = builder.layer(ConcurrencyLimitLayer::new(1));
    let client: Client = builder.build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert_eq!(error.attempts(), 3);

    let cut = b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"cost\": 4, ";
    let service = Service::of(|_| cut.to_vec()).await;
    let builder = ClientBuilder::new(&API, &*service.url).api_key(KEY);
    let builder = builder.attempt_timeout(Duration::from_millis(300));
    let builder = builder.layer(TraceLayer::new_for_http());
    let error = call(&builder.build().unwrap(), &PAID).await.unwrap_err();
    let Error::Transport(error) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.kind(), TransportErrorKind::Timeout);
    assert_eq!(error.partial().unwrap().body(), "{\"cost\": 4, ");

    let large = service_fn(|_: http::Request<RequestBody>| async {
        Ok::<_, Infallible>(http::Response::new("x".repeat(100)))
    });
    let builder = ClientBuilder::new(&PLAIN, "https://example.com").api_key(KEY);
    let client: Client = builder
        .service(large)
        .max_response_bytes(10)
        .build()
        .unwrap();
    let Error::Transport(error) = call(&client, &PLAIN_LIST).await.unwrap_err() else {
        panic!("it is too large");
    };
    assert_eq!(error.kind(), TransportErrorKind::TooLarge);
}

#[tokio::test]
async fn an_error_of_a_layer_may_have_come_after_the_request_was_sent() {
    let service = service_fn(|_: http::Request<RequestBody>| async {
        Err::<http::Response<String>, _>(std::io::Error::other("the layer gave up"))
    });
    let builder = ClientBuilder::new(&API, "https://example.com").api_key(KEY);
    let client: Client = builder.service(service).build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(error.may_have_been_charged());
    assert!(error.to_string().contains("the layer gave up"), "{error}");
}
