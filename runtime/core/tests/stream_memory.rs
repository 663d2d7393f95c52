//! The memory of a large body that is streamed. It needs a separate process, because the system counts memory per process.
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

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use generated_client::{Client, ClientBuilder, Method};

use memory::{API, peak};

const SIZE: usize = 200 << 20;

#[tokio::test]
async fn two_hundred_megabytes_stream_through_a_few() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {SIZE}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let part = vec![b'x'; 1 << 20];
        for _ in 0..SIZE >> 20 {
            stream.write_all(&part).unwrap();
        }
    });
    let client: Client = ClientBuilder::new(&API, base_url).build().unwrap();
    let mut stream = client.raw(Method::GET, "/").send_stream().await.unwrap();
    stream.next().await.unwrap().unwrap();
    let before = peak();
    let copied = stream.copy_to(tokio::io::sink()).await.unwrap();
    assert!(copied as usize > SIZE - (2 << 20));
    let more = peak() - before;
    assert!(more < 16 << 10, "{more} KiB");
}
