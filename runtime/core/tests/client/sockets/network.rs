//! The default transport against real sockets of this machine.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::support::api::{API, KEY, LIST};
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::{Bytes, Client, ClientBuilder, Error, RetryPolicy};
use serde_json::Value;

/// Sends these bytes to the first connection, and returns the head of its request.
fn serve(response: String) -> io::Result<(String, JoinHandle<io::Result<String>>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let base_url = format!("http://{}", listener.local_addr()?);
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        let mut head = String::new();
        let mut reader = BufReader::new(stream.try_clone()?);
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                break;
            }
        }
        stream.write_all(response.as_bytes())?;
        Ok(head)
    });
    Ok((base_url, server))
}

fn client(base_url: &str) -> Result<Client, Error> {
    ClientBuilder::new(&API, base_url).api_key(KEY).build()
}

fn kind(error: &Error) -> Option<TransportErrorKind> {
    match error {
        Error::Transport(error) => Some(error.kind()),
        _ => None,
    }
}

#[tokio::test]
async fn an_answer_arrives_with_status_headers_and_body() {
    let response = "HTTP/1.1 203 OK\r\nx-trace: 7\r\ncontent-length: 9\r\n\r\n{\"a\": 1}\n";
    let (base_url, server) = serve(response.to_owned()).unwrap();
    let mut request = Request::new(&LIST);
    request
        .query_joined("p", ",", ["a b", "c|d"])
        .query_joined("q", "|", [1, 2]);
    let response = client(&base_url)
        .unwrap()
        .send::<Value>(request)
        .await
        .unwrap();
    assert_eq!(response.body["a"], 1);
    assert_eq!(response.raw, Bytes::from_static(b"{\"a\": 1}\n"));
    assert_eq!(response.meta.status, 203);
    assert_eq!(response.meta.headers["x-trace"], "7");
    let head = server.join().unwrap().unwrap();
    assert!(
        head.starts_with("GET /v1/things?p=a%20b,c%7Cd&q=1|2 HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("x-api-key: canary-4711\r\n"), "{head}");
}

#[test]
fn plain_http_goes_past_a_proxy() {
    // A test cannot change its own environment safely, so one that needs a connection runs again in another.
    let again = Command::new(env::current_exe().unwrap())
        .args([
            "sockets::network::an_answer_arrives_with_status_headers_and_body",
            "--exact",
        ])
        .envs([("http_proxy", "http://127.0.0.1:1"), ("no_proxy", "")])
        .env_remove("NO_PROXY")
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&again.stdout);
    assert!(report.contains("1 passed"), "{report}");
}

#[tokio::test]
async fn any_time_to_connect_and_to_answer_is_possible() {
    let response = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull";
    let (base_url, server) = serve(response.to_owned()).unwrap();
    let builder = ClientBuilder::new(&API, base_url).api_key(KEY);
    let builder = builder.connect_timeout(Duration::MAX);
    let builder = builder.read_timeout(Duration::MAX);
    let client: Client = builder.attempt_timeout(Duration::MAX).build().unwrap();
    client.send::<Value>(Request::new(&LIST)).await.unwrap();
    server.join().unwrap().unwrap();
}

#[tokio::test]
async fn without_any_time_every_call_fails() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let builder = || {
        let builder = ClientBuilder::new(&API, &*base_url).api_key(KEY);
        builder.retry(RetryPolicy::Never)
    };
    let none = Duration::ZERO;
    for builder in [
        // The system may take the connection at once: then it is the next timer that has run out.
        builder().connect_timeout(none).read_timeout(none),
        builder().read_timeout(none),
        builder().attempt_timeout(none),
    ] {
        let client: Client = builder.build().unwrap();
        let error = client.send::<Value>(Request::new(&LIST)).await.unwrap_err();
        let kind = kind(&error).unwrap();
        let expected = [TransportErrorKind::Connect, TransportErrorKind::Timeout];
        assert!(expected.contains(&kind), "{error:?}");
    }
}
