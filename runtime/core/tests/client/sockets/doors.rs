//! The HTTP client of the built-in transport as callers configure it, against sockets of this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

use generated_client::{Client, ClientBuilder, Error, StatusCode, reqwest};

use crate::support::api::{API, KEY, LIST};
use crate::support::scripted_client::call;

/// Sends these bytes to the first connection, and returns the head of its request.
fn serve(response: &'static str) -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = String::new();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
        stream.write_all(response.as_bytes()).unwrap();
        head
    });
    (address, server)
}

const DONE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

fn builder(base_url: String) -> ClientBuilder {
    ClientBuilder::new(&API, base_url).api_key(KEY)
}

#[tokio::test]
async fn a_proxy_that_the_caller_names_is_used() {
    let (address, server) = serve(DONE);
    let client: Client = builder("http://gateway.invalid/api".to_owned())
        .allow_plain_http("gateway.invalid")
        .http(move |http| http.proxy(reqwest::Proxy::http(format!("http://{address}")).unwrap()))
        .build()
        .unwrap();
    call(&client, &LIST).await.unwrap();
    let head = server.join().unwrap();
    assert!(
        head.starts_with("GET http://gateway.invalid/api/v1/things HTTP/1.1\r\n"),
        "{head}"
    );
}

#[tokio::test]
async fn a_name_is_resolved_as_the_caller_says() {
    let (address, server) = serve(DONE);
    let client: Client = builder(format!("http://gateway.invalid:{}", address.port()))
        .allow_plain_http("GATEWAY.invalid")
        .http(move |http| http.resolve("gateway.invalid", address))
        .build()
        .unwrap();
    call(&client, &LIST).await.unwrap();
    assert!(
        server
            .join()
            .unwrap()
            .contains("x-api-key: canary-4711\r\n")
    );
}

#[tokio::test]
async fn what_guards_the_key_and_the_money_is_not_configured_away() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let target = elsewhere.local_addr().unwrap();
    let response =
        format!("HTTP/1.1 307 Go\r\nlocation: http://{target}/\r\ncontent-length: 0\r\n\r\n");
    let (address, server) = serve(response.leak());
    let client: Client = builder(format!("http://{address}"))
        .http(|http| {
            http.redirect(reqwest::redirect::Policy::limited(5))
                .retry(reqwest::retry::for_host("127.0.0.1").classify_fn(|all| all.retryable()))
                .http2_prior_knowledge()
        })
        .build()
        .unwrap();
    let error = call(&client, &LIST).await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::TEMPORARY_REDIRECT));
    assert!(server.join().unwrap().contains("HTTP/1.1\r\n"));
    assert!(elsewhere.accept().is_err());
}

#[tokio::test]
async fn a_set_up_that_reqwest_refuses_is_a_configuration_error() {
    let broken = builder("https://example.com".to_owned()).http(|http| http.user_agent("a\nb"));
    let error = broken.build().map(|_: Client| ()).unwrap_err();
    assert!(matches!(error, Error::Configuration(_)), "{error:?}");
}

#[test]
fn plain_http_is_refused_where_it_is_not_allowed() {
    let refused = |builder: ClientBuilder| builder.build().unwrap_err().to_string();
    let plain = || builder("http://gateway.invalid".to_owned());
    assert!(refused(plain()).contains("allow_plain_http"));
    let other = plain().allow_plain_http("other.invalid");
    assert!(refused(other).contains("plain http to another machine"));
    let early =
        builder("https://example.com".to_owned()).server("https://two", "http://gateway.invalid");
    assert!(early.allow_plain_http("gateway.invalid").build().is_ok());
}
