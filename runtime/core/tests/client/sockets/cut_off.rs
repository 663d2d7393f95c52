//! Responses that break off, stall, drip or have no end, over sockets of this machine: what arrived is kept.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::pin::pin;
use std::thread;
use std::time::{Duration, Instant};

use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::request::Request;
use generated_client::{Bytes, Client, ClientBuilder, Error, Response, http};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::support::api::{API, KEY, LIST};

/// Steps of a service for its only request, in order. Then it closes the connection.
enum Step {
    Sends(Vec<u8>),
    /// Sends these bytes again and again until the client closes the connection, with pauses.
    Repeats(&'static str, Duration),
    Waits(Duration),
    Hangs,
}

use Step::{Hangs, Repeats, Sends, Waits};

fn sends(text: &str) -> Step {
    Sends(text.into())
}

/// Starts a service. Returns its address, and a signal for the arrival of the request.
fn serve(steps: impl IntoIterator<Item = Step>) -> (String, oneshot::Receiver<()>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let steps: Vec<Step> = steps.into_iter().collect();
    let (asked, is_asked) = oneshot::channel();
    thread::spawn(move || play(&listener, steps, asked));
    (base_url, is_asked)
}

fn play(listener: &TcpListener, steps: Vec<Step>, asked: oneshot::Sender<()>) -> io::Result<()> {
    let (mut stream, _) = listener.accept()?;
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.extend(byte);
    }
    let _ = asked.send(());
    for step in steps {
        match step {
            Sends(bytes) => stream.write_all(&bytes)?,
            Repeats(text, pause) => loop {
                stream.write_all(text.as_bytes())?;
                thread::sleep(pause);
            },
            Waits(pause) => thread::sleep(pause),
            // Until the client is gone.
            Hangs => drop(stream.read(&mut byte)?),
        }
    }
    Ok(())
}

fn builder(base_url: impl Into<String>) -> ClientBuilder {
    ClientBuilder::new(&API, base_url).api_key(KEY)
}

async fn list(builder: ClientBuilder) -> Result<Response<Value>, Error> {
    let client: Client = builder.build().unwrap();
    client.send(Request::new(&LIST)).await
}

async fn fails(builder: ClientBuilder) -> TransportError {
    match list(builder).await.unwrap_err() {
        Error::Transport(error) => error,
        other => panic!("{other:?}"),
    }
}

const BEGUN: &str = "HTTP/1.1 203 OK\r\nx-trace: 7\r\ncontent-length: 100\r\n\r\n{\"cost\": 4, ";

fn assert_begun(error: &TransportError) {
    let partial = error.partial().unwrap();
    assert_eq!(partial.status(), 203);
    assert_eq!(partial.headers()["x-trace"], "7");
    assert_eq!(partial.body(), "{\"cost\": 4, ");
    let shown = format!("{error} {error:?}");
    assert!(shown.contains("status 203, 12 bytes"), "{shown}");
    assert!(!shown.contains("cost"), "{shown}");
}

#[tokio::test]
async fn a_body_that_breaks_off_leaves_what_arrived() {
    let (base_url, _) = serve([sends(BEGUN)]);
    let error = fails(builder(base_url)).await;
    assert_eq!(error.kind(), TransportErrorKind::Body);
    assert_begun(&error);
    let message = error.to_string();
    let cause = "the response broke off: end of file before message length reached (arrived";
    assert!(message.contains(cause), "{message}");
}

#[tokio::test]
async fn a_chunk_that_breaks_off_leaves_the_chunks_before_it() {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let (base_url, _) = serve([sends(head), sends("3\r\nabc\r\n3\r\nde")]);
    let error = fails(builder(base_url)).await;
    assert_eq!(error.kind(), TransportErrorKind::Body);
    assert_eq!(error.partial().unwrap().body(), "abcde");
}

#[tokio::test]
async fn a_body_that_drips_ends_with_its_attempt() {
    let (base_url, _) = serve([sends(BEGUN), Repeats(" ", Duration::from_millis(50))]);
    let start = Instant::now();
    let attempt = Duration::from_millis(600);
    let error = fails(builder(base_url).attempt_timeout(attempt)).await;
    assert_eq!(error.kind(), TransportErrorKind::Timeout);
    assert!(start.elapsed() < Duration::from_secs(3), "{start:?}");
    let partial = error.partial().unwrap();
    assert!(
        partial.body().starts_with(b"{\"cost\": 4,  "),
        "{partial:?}"
    );
    let message = error.to_string();
    assert!(
        message.contains("the attempt took more than 600ms"),
        "{message}"
    );
}

#[tokio::test]
async fn a_head_that_drips_ends_with_its_attempt() {
    let head = "HTTP/1.1 200 OK\r\nx-trace: ";
    let (base_url, _) = serve([sends(head), Repeats("7", Duration::from_millis(50))]);
    let attempt = Duration::from_millis(600);
    let error = fails(builder(base_url).attempt_timeout(attempt)).await;
    assert_eq!(error.kind(), TransportErrorKind::Timeout);
    assert!(error.partial().is_none());
}

#[tokio::test]
async fn a_body_without_end_is_read_up_to_its_bound() {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let (base_url, _) = serve([sends(head), Repeats("4\r\n1234\r\n", Duration::ZERO)]);
    let error = fails(builder(base_url).max_response_bytes(1001)).await;
    assert_eq!(error.kind(), TransportErrorKind::TooLarge);
    let expected = "1234".repeat(250) + "1";
    assert_eq!(error.partial().unwrap().body(), &expected);
}

#[tokio::test]
async fn a_body_as_large_as_its_bound_is_whole() {
    let response = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n\"1234\"";
    for (bound, is_whole) in [(5, false), (6, true)] {
        let (base_url, _) = serve([sends(response)]);
        let sent = list(builder(base_url).max_response_bytes(bound)).await;
        assert_eq!(sent.is_ok(), is_whole, "{bound}: {sent:?}");
    }
}

#[tokio::test]
async fn an_error_body_has_a_bound_of_its_own() {
    const MEBIBYTE: usize = 1024 * 1024;
    for (status, size) in [(404, MEBIBYTE), (404, MEBIBYTE + 1), (200, MEBIBYTE + 1)] {
        let head = format!("HTTP/1.1 {status} Said\r\ncontent-length: {size}\r\n\r\n");
        let (base_url, _) = serve([sends(&head), Sends(vec![b'x'; size])]);
        match list(builder(base_url)).await.unwrap_err() {
            Error::Transport(error) => {
                assert_eq!((status, size), (404, MEBIBYTE + 1));
                assert_eq!(error.kind(), TransportErrorKind::TooLarge);
                assert_eq!(error.partial().unwrap().body().len(), MEBIBYTE);
            }
            other => {
                assert_ne!((status, size), (404, MEBIBYTE + 1));
                assert_eq!(other.body().unwrap().len(), size);
            }
        }
    }
}

#[tokio::test]
async fn a_whole_response_of_another_transport_has_the_same_bound() {
    let transport = |_| async { Ok(http::Response::new(Bytes::from_static(b"\"1234\""))) };
    let on = |bytes| {
        builder("https://example.com")
            .transport(transport)
            .max_response_bytes(bytes)
    };
    assert_eq!(list(on(6)).await.unwrap().body, "1234");
    let error = fails(on(5)).await;
    assert_eq!(error.kind(), TransportErrorKind::TooLarge);
    assert_eq!(error.partial().unwrap().body(), "\"1234");
}

#[tokio::test]
async fn a_response_in_the_socket_is_read_however_late_its_call_is_polled() {
    let response = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull";
    let (base_url, asked) = serve([sends(response), Hangs]);
    let read = Duration::from_millis(300);
    let mut call = pin!(list(
        builder(base_url)
            .read_timeout(read)
            .attempt_timeout(2 * read)
    ));
    tokio::select! {
        biased;
        _ = asked => {}
        early = &mut call => panic!("{early:?}"),
    }
    // Nothing polls the call during this time.
    sleep(3 * read).await;
    assert_eq!(call.await.unwrap().body, Value::Null);
}

#[tokio::test]
async fn a_response_that_came_while_the_runtime_was_busy_is_read() {
    let response = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull";
    let read = Duration::from_millis(300);
    let (base_url, asked) = serve([Waits(read / 3), sends(response), Hangs]);
    let call = tokio::spawn(list(builder(base_url).read_timeout(read)));
    asked.await.unwrap();
    thread::sleep(3 * read);
    assert_eq!(call.await.unwrap().unwrap().body, Value::Null);
}
