//! The memory of a response that is small on the wire and large when decoded. It needs a separate process, because the system counts memory
//! per process.
#![cfg(all(
    target_os = "linux",
    feature = "compression",
    any(feature = "rustls", not(feature = "rustls-no-provider"))
))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod memory;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use async_compression::Level;
use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZstdEncoder};
use generated_client::error::TransportErrorKind;
use generated_client::{Client, ClientBuilder, Error, Method};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use memory::{API, peak};

const SIZE: usize = 64 << 20;
const BOUND: usize = 1 << 20;

/// Writes small chunks of spaces: an encoder that needs much memory would hide a decoder that does.
async fn write(mut encoder: impl AsyncWrite + Unpin) {
    let part = vec![b' '; 1 << 16];
    for _ in 0..SIZE >> 16 {
        encoder.write_all(&part).await.unwrap();
    }
    encoder.shutdown().await.unwrap();
}

async fn bomb(coding: &str) -> Vec<u8> {
    let mut out = Vec::new();
    match coding {
        "gzip" => write(GzipEncoder::with_quality(&mut out, Level::Fastest)).await,
        "br" => write(BrotliEncoder::with_quality(&mut out, Level::Fastest)).await,
        _ => write(ZstdEncoder::with_quality(&mut out, Level::Fastest)).await,
    }
    out
}

fn serve(coding: &str, body: &[u8]) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-encoding: {coding}\r\ncontent-length: {length}\r\n\r\n"
    );
    let response = [head.as_bytes(), body].concat();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        // The client may close the connection early.
        let _ = stream.write_all(&response);
    });
    base_url
}

#[tokio::test]
async fn a_bomb_takes_a_few_megabytes() {
    for coding in ["gzip", "br", "zstd"] {
        let base_url = serve(coding, &bomb(coding).await);
        let builder = ClientBuilder::new(&API, base_url).max_response_bytes(BOUND);
        let client: Client = builder.build().unwrap();
        let before = peak();
        let error = client.raw(Method::GET, "/").send_bytes().await.unwrap_err();
        let more = peak() - before;
        let Error::Transport(error) = error else {
            panic!("{error:?}");
        };
        assert_eq!(error.kind(), TransportErrorKind::TooLarge, "{coding}");
        assert!(more < 24 << 10, "{coding}: {more} KiB");
        println!("{coding}: {more} KiB more");
    }
}
