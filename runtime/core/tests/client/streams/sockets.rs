//! Streams over sockets of this machine.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::stream::ResponseStream;
use generated_client::{Client, ClientBuilder, Error};

use super::chunks;
use crate::support::api::{API, KEY, LIST};

const HEAD: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/// Starts a service of one call. Returns the result of `play`.
fn serve<T: Send + 'static>(
    play: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (String, mpsc::Receiver<T>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, played) = mpsc::channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        let _ = sender.send(play(stream));
    });
    (base_url, played)
}

async fn open(builder: ClientBuilder) -> Result<ResponseStream, Error> {
    let client: Client = builder.api_key(KEY).build().unwrap();
    client.send_stream(Request::new(&LIST)).await
}

fn chunk(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(b"3\r\nabc\r\n")
}

#[tokio::test]
async fn the_attempt_timeout_ends_with_the_head_and_a_slow_caller_is_no_silence() {
    let (base_url, _) = serve(|mut stream| {
        stream.write_all(HEAD.as_bytes()).unwrap();
        for _ in 0..8 {
            chunk(&mut stream).unwrap();
            thread::sleep(Duration::from_millis(100));
        }
        stream.write_all(b"0\r\n\r\n").unwrap();
    });
    let short = Duration::from_millis(400);
    let builder = ClientBuilder::new(&API, base_url);
    let mut stream = open(builder.attempt_timeout(short).read_timeout(short))
        .await
        .unwrap();
    stream.next().await.unwrap().unwrap();
    // Nothing reads for longer than the read timeout.
    tokio::time::sleep(2 * short).await;
    let (arrived, error) = chunks(&mut stream).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(arrived.concat().len(), 7 * 3);
}

#[tokio::test]
async fn a_head_that_does_not_come_ends_with_the_attempt_timeout() {
    let (base_url, _) = serve(|mut stream| {
        while stream.write_all(b"HTTP/1.1 200 OK\r\nx: ").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let builder = ClientBuilder::new(&API, base_url);
    let error = open(builder.attempt_timeout(Duration::from_millis(300)))
        .await
        .unwrap_err();
    assert!(matches!(&error, Error::Transport(e) if e.kind() != TransportErrorKind::Connect));
}

#[tokio::test]
async fn silence_and_a_reset_within_the_body_end_the_stream() {
    for is_silent in [true, false] {
        let (base_url, _) = serve(move |mut stream| {
            stream.write_all(HEAD.as_bytes()).unwrap();
            chunk(&mut stream).unwrap();
            if is_silent {
                thread::sleep(Duration::from_secs(5));
            }
        });
        let start = Instant::now();
        let builder = ClientBuilder::new(&API, base_url);
        let mut stream = open(builder.read_timeout(Duration::from_millis(300)))
            .await
            .unwrap();
        let (arrived, error) = chunks(&mut stream).await;
        assert_eq!(arrived, ["abc"]);
        let kind = if is_silent {
            TransportErrorKind::Timeout
        } else {
            TransportErrorKind::Body
        };
        let error = error.unwrap();
        assert!(
            matches!(&error, Error::Transport(e) if e.kind() == kind),
            "{error:?}"
        );
        assert!(start.elapsed() < Duration::from_secs(4));
    }
}

#[tokio::test]
async fn dropping_a_stream_closes_its_connection() {
    let (base_url, closed) = serve(|mut stream| {
        stream.write_all(HEAD.as_bytes()).unwrap();
        let start = Instant::now();
        while chunk(&mut stream).is_ok() && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
        start.elapsed()
    });
    let mut stream = open(ClientBuilder::new(&API, base_url)).await.unwrap();
    stream.next().await.unwrap().unwrap();
    drop(stream);
    let open_for = tokio::task::spawn_blocking(move || closed.recv().unwrap());
    let open_for = open_for.await.unwrap();
    assert!(open_for < Duration::from_secs(10), "{open_for:?}");
}

#[tokio::test]
async fn the_service_waits_for_a_caller_that_does_not_read() {
    const ALL: usize = 200 << 20;
    let (base_url, written) = serve(|mut stream| {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {ALL}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let pause = Some(Duration::from_millis(500));
        stream.set_write_timeout(pause).unwrap();
        let mut written = 0;
        while let Ok(size) = stream.write(&[b'x'; 1 << 16])
            && written < ALL
        {
            written += size;
        }
        written
    });
    let stream = open(ClientBuilder::new(&API, base_url)).await.unwrap();
    let written = tokio::task::spawn_blocking(move || written.recv().unwrap());
    let written = written.await.unwrap();
    // The buffers of both sockets, and the chunks that are read ahead.
    assert!(written < 40 << 20, "{written}");
    drop(stream);
}
