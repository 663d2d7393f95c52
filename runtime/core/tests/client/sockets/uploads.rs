//! Bodies that are read while they are sent, from files and readers, over sockets of this machine.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use generated_client::credentials::{Token, TokenReason};
use generated_client::document::{Api, Auth};
use generated_client::error::TransportErrorKind;
use generated_client::request::{Body, Multipart, Part, Payload};
use generated_client::testing::{Reply, Script};
use generated_client::{Client, ClientBuilder, Error, Method, RetryPolicy};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf, duplex};
use tokio::time::sleep;

use super::service::{PLAIN, Service, redirect, response};
use crate::support::api::KEY;
use crate::support::sockets::deserted;

const TEXT: &str = "one, two, three";

/// A separate file for each test.
struct File(PathBuf);

impl File {
    fn of(name: &str, content: &str) -> Self {
        let name = format!("metered-upload-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, content).unwrap();
        Self(path)
    }

    fn body(&self) -> Body {
        Body::bytes("text/plain", Payload::from_file(&self.0))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}

fn reader() -> Cursor<&'static str> {
    Cursor::new(TEXT)
}

fn read_from(reader: impl AsyncRead + Send + 'static, length: impl Into<Option<u64>>) -> Body {
    Body::bytes("text/plain", Payload::from_reader(reader, length))
}

async fn put(client: &Client, body: Body) -> Result<Value, Error> {
    let call = client.raw(Method::PUT, "/v1/file").body(body);
    call.send::<Value>().await.map(|response| response.body)
}

/// Gives these status codes, one to each request, and the last one to all others.
async fn says(statuses: &'static [u16]) -> Service {
    let next = Arc::new(AtomicUsize::new(0));
    Service::of(move |_| {
        let at = next.fetch_add(1, Ordering::SeqCst).min(statuses.len() - 1);
        response(statuses[at], "retry-after: 0\r\n", b"null")
    })
    .await
}

#[tokio::test]
async fn a_body_has_a_length_where_it_is_known_and_is_chunked_otherwise() {
    let file = File::of("lengths", TEXT);
    let length = TEXT.len() as u64;
    let table = [
        (file.body(), "content-length: 15"),
        (read_from(reader(), length), "content-length: 15"),
        (read_from(reader(), None), "transfer-encoding: chunked"),
    ];
    for (body, field) in table {
        let service = says(&[200]).await;
        put(&service.client(), body).await.unwrap();
        let received = &service.received()[0];
        assert!(received.head.contains(field), "{}", received.head);
        assert!(received.head.contains("content-type: text/plain\r\n"));
        assert_eq!(received.body, TEXT.as_bytes());
    }
}

#[tokio::test]
async fn a_file_is_sent_again_and_a_reader_is_not() {
    let file = File::of("again", TEXT);
    let service = says(&[503, 200]).await;
    put(&service.client(), file.body()).await.unwrap();
    let bodies: Vec<_> = service.received().into_iter().map(|one| one.body).collect();
    assert_eq!(bodies, [TEXT.as_bytes(), TEXT.as_bytes()]);

    for policy in [RetryPolicy::Standard, RetryPolicy::Always] {
        let service = says(&[503, 200]).await;
        let client: Client = service.builder().retry(policy).build().unwrap();
        let call = client.raw(Method::PUT, "/v1/file");
        let call = call.body(read_from(reader(), None));
        let error = call.clone().send::<Value>().await.unwrap_err();
        assert_eq!(
            (error.status().unwrap().as_u16(), error.attempts()),
            (503, 1)
        );
        let message = error.to_string();
        assert!(
            message.ends_with("its body was sent and cannot be read again"),
            "{message}"
        );
        assert!(!error.is_retryable());
        // The same call is refused before anything is sent.
        let error = call.send::<Value>().await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error:?}");
        assert_eq!(service.received().len(), 1);
    }
}

#[tokio::test]
async fn a_reader_that_was_not_read_is_attempted_again() {
    let (_kept, nowhere) = deserted();
    let client: Client = ClientBuilder::new(&PLAIN, nowhere)
        .api_key(KEY)
        .build()
        .unwrap();
    let error = put(&client, read_from(reader(), None)).await;
    let error = error.unwrap_err();
    assert_eq!(error.attempts(), 3, "{error:?}");
    assert!(error.is_retryable());
}

#[tokio::test]
async fn after_a_refused_token_a_file_is_sent_again_and_a_reader_is_not() {
    static BEARER: Api = Api {
        auth: Auth::Bearer,
        ..PLAIN
    };
    let file = File::of("token", TEXT);
    for (body, attempts) in [(file.body(), 2), (read_from(reader(), None), 1)] {
        let service = says(&[401, 200]).await;
        let provider = |reason: TokenReason| async move { Ok(Token::new(format!("{reason:?}"))) };
        let builder = ClientBuilder::new(&BEARER, &*service.url);
        let client: Client = builder.token_provider(provider).build().unwrap();
        let sent = put(&client, body).await;
        assert_eq!(service.received().len(), attempts);
        assert_eq!(sent.is_ok(), attempts == 2);
        if let Err(error) = sent {
            let message = error.to_string();
            assert!(message.contains("cannot be read again"), "{message}");
            assert!(!error.is_retryable());
        }
    }
}

#[tokio::test]
async fn a_redirect_sends_no_body_twice() {
    let file = File::of("redirect", TEXT);
    let target = says(&[200]).await;
    let url = target.url.clone();
    let service = Service::of(move |_| redirect(307, &url)).await;
    for body in [file.body(), read_from(reader(), None)] {
        let error = put(&service.client(), body).await.unwrap_err();
        assert_eq!(error.status().unwrap(), 307);
        assert!(error.to_string().contains("without a body"), "{error}");
    }
    assert_eq!((service.received().len(), target.received().len()), (2, 0));
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_an_error() {
    let service = says(&[200]).await;
    let client = service.client();
    let missing = Body::bytes("text/plain", Payload::from_file("/nowhere/at/all"));
    let error = put(&client, missing).await.unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert!(!error.to_string().contains("nowhere"), "{error}");
    assert!(service.received().is_empty());

    let short = read_from(reader(), 99);
    let call = client.raw(Method::PUT, "/v1/file").body(short);
    let error = call.send::<Value>().await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("shorter than its length"), "{message}");
    assert_eq!(error.attempts(), 1);
}

#[tokio::test]
async fn parts_are_read_while_they_are_sent() {
    let file = File::of("parts", TEXT);
    let service = says(&[200]).await;
    let mut parts = Multipart::new();
    parts
        .value("id", None, &7)
        .part("file", Part::from_file(&file.0).file_name("a.txt"))
        .part(
            "rest",
            Part::new(Payload::from_reader(reader(), TEXT.len() as u64)),
        );
    put(&service.client(), Body::multipart(&parts))
        .await
        .unwrap();
    let received = &service.received()[0];
    let length = format!("content-length: {}\r\n", received.body.len());
    assert!(received.head.contains(&length), "{}", received.head);
    let boundary = received.head.split("boundary=").nth(1).unwrap();
    let boundary = boundary.lines().next().unwrap();
    let body = String::from_utf8(received.body.clone()).unwrap();
    assert_eq!(
        body.replace(boundary, "B").replace("\r\n", "\n"),
        format!(
            "--B\nContent-Disposition: form-data; name=\"id\"\n\n7\n\
             --B\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\n\n{TEXT}\n\
             --B\nContent-Disposition: form-data; name=\"rest\"\n\n{TEXT}\n--B--\n"
        )
    );
}

#[tokio::test]
async fn a_slow_upload_is_no_silence_of_the_service() {
    let service = says(&[200]).await;
    let read = Duration::from_millis(400);
    let client: Client = service.builder().read_timeout(read).build().unwrap();
    let (mut writer, reader) = duplex(64);
    tokio::spawn(async move {
        for _ in 0..6 {
            writer.write_all(b"123").await.unwrap();
            sleep(read / 2).await;
        }
    });
    put(&client, read_from(reader, None)).await.unwrap();
    assert_eq!(service.received()[0].body, b"123".repeat(6));

    let (_writer, stuck) = duplex(64);
    let error = put(&client, read_from(stuck, None)).await;
    let Error::Transport(error) = error.unwrap_err() else {
        panic!("it hangs");
    };
    assert_eq!(error.kind(), TransportErrorKind::Timeout);
}

/// A reader that fails in the middle.
struct Breaks(bool);

impl AsyncRead for Breaks {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        if std::mem::replace(&mut self.0, true) {
            return Poll::Ready(Err(std::io::Error::other("the disk is gone")));
        }
        buffer.put_slice(TEXT.as_bytes());
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_reader_that_fails_ends_the_call() {
    let service = says(&[200]).await;
    let body = read_from(Breaks(false), None);
    let error = put(&service.client(), body).await.unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the disk is gone"), "{message}");
    assert_eq!(error.attempts(), 1);
}

#[tokio::test]
async fn another_transport_gets_the_bytes() {
    let file = File::of("script", TEXT);
    let script = Script::new([Reply::new(200, "null")]);
    let client: Client = ClientBuilder::new(&PLAIN, "https://example.com")
        .api_key(KEY)
        .transport(script.clone())
        .build()
        .unwrap();
    put(&client, file.body()).await.unwrap();
    assert_eq!(script.sent()[0].body, TEXT);
}
