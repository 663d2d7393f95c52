//! Compressed responses over a socket of this machine: decoded, bounded, and cut off.

use async_compression::Level;
use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZstdEncoder};
use generated_client::error::TransportErrorKind;
use generated_client::{Client, ClientBuilder, Error, Method, RetryPolicy};
use serde_json::{Value, json};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::service::{PLAIN_LIST, Service, response};
use crate::support::api::{API, KEY};
use crate::support::scripted_client::call;

const CODINGS: [&str; 3] = ["gzip", "br", "zstd"];

async fn compressed(coding: &str, body: &[u8]) -> Vec<u8> {
    async fn through(encoder: &mut (impl AsyncWrite + Unpin), body: &[u8]) {
        encoder.write_all(body).await.unwrap();
        encoder.shutdown().await.unwrap();
    }
    let mut out = Vec::new();
    match coding {
        "gzip" => {
            through(
                &mut GzipEncoder::with_quality(&mut out, Level::Fastest),
                body,
            )
            .await
        }
        "br" => {
            through(
                &mut BrotliEncoder::with_quality(&mut out, Level::Fastest),
                body,
            )
            .await
        }
        "zstd" => {
            through(
                &mut ZstdEncoder::with_quality(&mut out, Level::Fastest),
                body,
            )
            .await
        }
        other => panic!("{other}"),
    }
    out
}

fn encoded(coding: &str, body: &[u8]) -> Vec<u8> {
    response(200, &format!("content-encoding: {coding}\r\n"), body)
}

async fn service(coding: &'static str, body: Vec<u8>) -> Service {
    let whole = encoded(coding, &body);
    Service::of(move |_| whole.clone()).await
}

fn long() -> Value {
    (0..1000).map(|n| json!({"id": n, "name": "a"})).collect()
}

#[tokio::test]
async fn a_page_is_decoded_whole_and_as_a_stream() {
    let text = long().to_string();
    for coding in CODINGS {
        let body = compressed(coding, text.as_bytes()).await;
        assert!(body.len() < text.len() / 4);
        let service = service(coding, body).await;
        let client = service.client();
        let page = call(&client, &PLAIN_LIST).await.unwrap();
        assert_eq!(page.body, long(), "{coding}");
        assert_eq!(page.raw, text);
        assert!(!page.meta.headers.contains_key("content-encoding"));
        assert!(!page.meta.headers.contains_key("content-length"));
        let head = &service.received()[0].head;
        assert!(
            head.contains("accept-encoding: gzip, br, zstd\r\n"),
            "{head}"
        );

        let mut stream = client.raw(Method::GET, "/").send_stream().await.unwrap();
        let mut arrived = Vec::new();
        while let Some(chunk) = stream.next().await {
            arrived.extend_from_slice(&chunk.unwrap());
        }
        assert_eq!(arrived, text.as_bytes(), "{coding}");
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_keeps_what_was_decoded() {
    // It does not compress well: what arrives is more than one block of Zstandard, 128 KiB.
    let text: String = (0..12_000_u64)
        .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string())
        .collect();
    for coding in CODINGS {
        let mut body = compressed(coding, text.as_bytes()).await;
        body.truncate(body.len() - 20);
        let service = service(coding, body).await;
        let builder = service.builder().retry(RetryPolicy::Never);
        let client: Client = builder.build().unwrap();
        let error = call(&client, &PLAIN_LIST).await.unwrap_err();
        let Error::Transport(error) = &error else {
            panic!("{coding}: {error:?}");
        };
        assert_eq!(error.kind(), TransportErrorKind::Body, "{coding}");
        let partial = error.partial().unwrap().body();
        assert!(
            text.as_bytes().starts_with(partial) && partial.len() > 10_000,
            "{coding}: {}",
            partial.len()
        );
    }
}

#[tokio::test]
async fn a_bomb_ends_at_the_bound_of_a_response() {
    const BOUND: usize = 1 << 18;
    let bomb = vec![b' '; 4 << 20];
    for coding in CODINGS {
        let body = compressed(coding, &bomb).await;
        assert!(body.len() < BOUND / 4, "{}", body.len());
        let service = service(coding, body).await;
        let builder = service.builder().max_response_bytes(BOUND);
        let client: Client = builder.build().unwrap();
        let error = call(&client, &PLAIN_LIST).await.unwrap_err();
        let Error::Transport(error) = &error else {
            panic!("{coding}: {error:?}");
        };
        assert_eq!(error.kind(), TransportErrorKind::TooLarge, "{coding}");
        assert_eq!(error.partial().unwrap().body().len(), BOUND);
    }
}

#[tokio::test]
async fn a_window_that_takes_too_much_memory_is_refused() {
    // The head of a frame of Zstandard with a window of 1 GiB, and that of a Brotli stream with one of 2^30.
    let zstd = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x03, 0x00, 0x00, 0x61];
    let brotli = [0x11, 0x9e, 0xff, 0xff, 0xff, 0xff];
    for (coding, body) in [("zstd", zstd.to_vec()), ("br", brotli.to_vec())] {
        let service = service(coding, body).await;
        let builder = service.builder().retry(RetryPolicy::Never);
        let client: Client = builder.build().unwrap();
        let error = call(&client, &PLAIN_LIST).await.unwrap_err();
        let Error::Transport(error) = &error else {
            panic!("{coding}: {error:?}");
        };
        assert_eq!(error.kind(), TransportErrorKind::Body, "{coding}");
        let message = error.to_string();
        assert!(
            message.contains("too much memory") || message.contains("larger than HTTP allows"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_head_without_a_body_and_an_unknown_coding_are_left_alone() {
    for coding in ["gzip", "br", "zstd"] {
        let empty = service(coding, Vec::new()).await;
        let response = empty.client().raw(Method::GET, "/").send_bytes().await;
        assert!(response.unwrap().raw.is_empty(), "{coding}");
        let head = format!("content-encoding: {coding}\r\n");
        let head = format!("HTTP/1.1 200 OK\r\n{head}content-length: 7\r\n\r\n");
        let head = Service::of(move |_| head.clone().into()).await;
        let response = head.client().raw(Method::HEAD, "/").send_bytes().await;
        assert!(response.unwrap().raw.is_empty(), "{coding}");
    }
    let unknown = service("deflate", b"7".to_vec()).await;
    let response = unknown.client().raw(Method::GET, "/").send_bytes().await;
    assert_eq!(
        response.unwrap().meta.headers["content-encoding"],
        "deflate"
    );
}

#[tokio::test]
async fn a_part_of_what_is_stored_is_not_asked_for_in_a_coding() {
    let service = service("identity", b"7".to_vec()).await;
    let call = service.client().raw(Method::GET, "/");
    call.header("range", "bytes=0-0")
        .send_bytes()
        .await
        .unwrap();
    assert!(!service.received()[0].head.contains("accept-encoding"));
}

#[tokio::test]
async fn where_calls_are_paid_a_body_is_kept_as_it_arrived_unless_the_caller_says_otherwise() {
    let body = compressed("gzip", b"{}").await;
    let service = service("gzip", body.clone()).await;
    let builder = || ClientBuilder::new(&API, &*service.url).api_key(KEY);
    let client: Client = builder().build().unwrap();
    let error = call(&client, &PLAIN_LIST).await.unwrap_err();
    assert_eq!(error.body().unwrap(), &body);
    let client: Client = builder().compression(true).build().unwrap();
    assert_eq!(call(&client, &PLAIN_LIST).await.unwrap().raw, "{}");
    let client: Client = service.builder().compression(false).build().unwrap();
    let error = call(&client, &PLAIN_LIST).await.unwrap_err();
    assert_eq!(error.body().unwrap(), &body);
    assert!(!service.received()[2].head.contains("accept-encoding"));
}
