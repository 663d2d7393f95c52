//! The memory of a large body that is read from a file while it is sent. It needs a separate process, because the system counts memory per
//! process.
#![cfg(all(
    target_os = "linux",
    any(feature = "rustls", not(feature = "rustls-no-provider"))
))]
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a test that panics is a test that fails"
)]

mod memory;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use generated_client::request::{Body, Payload};
use generated_client::{Client, ClientBuilder, Method};

use memory::{API, peak};

const SIZE: u64 = 1 << 28;

/// Reads one complete request, and returns its head and the size of its body.
fn receive(listener: &TcpListener) -> (String, u64) {
    let (mut stream, _) = listener.accept().unwrap();
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    let mut buffer = vec![0; 1 << 20];
    let mut body = 0;
    while body < SIZE {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0);
        body += read as u64;
    }
    stream
        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull")
        .unwrap();
    (String::from_utf8(head).unwrap(), body)
}

#[tokio::test]
async fn a_large_file_uploads_through_a_few_megabytes() {
    let path = std::env::temp_dir().join(format!("generated-upload-{}", std::process::id()));
    // The file is sparse.
    File::create(&path).unwrap().set_len(SIZE).unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let received = thread::spawn(move || receive(&listener));
    let client: Client = ClientBuilder::new(&API, base_url).build().unwrap();
    let body = Body::bytes("application/octet-stream", Payload::from_file(&path));
    let call = client.raw(Method::PUT, "/v1/archive").body(body);
    let before = peak();
    call.send::<()>().await.unwrap();
    let more = peak() - before;
    fs::remove_file(&path).unwrap();
    let (head, body) = received.join().unwrap();
    assert_eq!(body, SIZE);
    assert!(
        head.contains(&format!("content-length: {SIZE}\r\n")),
        "{head}"
    );
    assert!(more < 16 << 10, "{more} KiB");
    println!("{more} KiB more");
}
