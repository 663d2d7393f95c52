//! HTTP/2 by ALPN over TLS, and connections that stay open.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::document::Api;
use generated_client::http::Version;
use generated_client::{Client, ClientBuilder, Method, http, reqwest};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::service::{PLAIN, PLAIN_LIST, Service, response};
use crate::support::api::{API, KEY};
use crate::support::scripted_client::call;

/// A service that offers HTTP/2 and HTTP/1.1, and speaks the former.
struct Modern {
    url: String,
    certificate: Vec<u8>,
    connections: Arc<AtomicUsize>,
    versions: Arc<Mutex<Vec<Version>>>,
    chosen: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Modern {
    async fn listen() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let certificate = made.cert.der().to_vec();
        let mut config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.into()], key)
            .unwrap();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let service = Self {
            url: format!("https://localhost:{port}"),
            certificate,
            connections: Arc::default(),
            versions: Arc::default(),
            chosen: Arc::default(),
        };
        let (connections, versions) = (service.connections.clone(), service.versions.clone());
        let chosen = service.chosen.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                connections.fetch_add(1, Ordering::SeqCst);
                let (acceptor, versions) = (acceptor.clone(), versions.clone());
                let chosen = chosen.clone();
                tokio::spawn(async move {
                    let mut stream = acceptor.accept(stream).await.unwrap();
                    let protocol = stream.get_ref().1.alpn_protocol().unwrap().to_vec();
                    chosen.lock().unwrap().push(protocol.clone());
                    if protocol != b"h2" {
                        _ = stream.read(&mut [0; 4096]).await;
                        return;
                    }
                    let respond = service_fn(move |request: http::Request<_>| {
                        let _: &hyper::body::Incoming = request.body();
                        versions.lock().unwrap().push(request.version());
                        let mut response = http::Response::new("[1]".to_owned());
                        if let Some(target) = request.headers().get("x-target") {
                            let headers = response.headers_mut();
                            headers.insert("location", target.clone());
                            *response.status_mut() = http::StatusCode::FOUND;
                        }
                        async {
                            // Long enough for the others to come along.
                            sleep(Duration::from_millis(100)).await;
                            Ok::<_, Infallible>(response)
                        }
                    });
                    let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                    _ = server.serve_connection(TokioIo::new(stream), respond).await;
                });
            }
        });
        service
    }

    fn builder(&self, api: &'static Api) -> ClientBuilder {
        let certificate = reqwest::Certificate::from_der(&self.certificate).unwrap();
        ClientBuilder::new(api, &*self.url)
            .api_key(KEY)
            .http(move |http| http.no_proxy().tls_certs_only([certificate]))
    }
}

#[tokio::test]
async fn calls_share_one_connection_of_http_2() {
    let service = Modern::listen().await;
    let client: Client = service.builder(&PLAIN).build().unwrap();
    call(&client, &PLAIN_LIST).await.unwrap();
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { call(&client, &PLAIN_LIST).await.unwrap().body })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), Value::from(vec![1]));
    }
    assert_eq!(service.connections.load(Ordering::SeqCst), 1);
    assert_eq!(*service.versions.lock().unwrap(), [Version::HTTP_2; 9]);
}

#[tokio::test]
async fn a_redirect_from_https_to_http_is_not_followed() {
    let plain = Service::of(|_| response(200, "", b"null")).await;
    let service = Modern::listen().await;
    let client: Client = service.builder(&PLAIN).build().unwrap();
    let call = client.raw(Method::GET, "/v1/moved");
    let call = call.header("x-target", &plain.url);
    let error = call.send_bytes().await.unwrap_err();
    assert_eq!(error.status().unwrap(), 302);
    assert!(error.to_string().contains("from https to http"), "{error}");
    assert!(plain.received().is_empty());
}

#[tokio::test]
async fn http_1_1_is_spoken_where_calls_are_paid_or_the_caller_says_so() {
    let service = Modern::listen().await;
    let paid: Client = service.builder(&API).build().unwrap();
    call(&paid, &PLAIN_LIST).await.unwrap_err();
    let plain: Client = service.builder(&PLAIN).http2(false).build().unwrap();
    call(&plain, &PLAIN_LIST).await.unwrap_err();
    let chosen = service.chosen.lock().unwrap();
    assert!(!chosen.is_empty() && chosen.iter().all(|protocol| protocol == b"http/1.1"));
}

#[tokio::test]
async fn an_idle_connection_is_kept_where_calls_cost_nothing() {
    let service = Service::of(|_| response(200, "", b"null")).await;
    let short = Duration::from_millis(100);
    for (builder, connections) in [
        (service.builder(), [0, 0]),
        (service.builder().pool_idle_timeout(short), [1, 2]),
    ] {
        let client: Client = builder.build().unwrap();
        call(&client, &PLAIN_LIST).await.unwrap();
        sleep(Duration::from_millis(1100)).await;
        call(&client, &PLAIN_LIST).await.unwrap();
        let received = service.received();
        let last = received.iter().rev().take(2).rev();
        let last: Vec<_> = last.map(|one| one.connection).collect();
        assert_eq!(last, connections);
    }
}
