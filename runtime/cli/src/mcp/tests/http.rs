//! The server over HTTP: its bounds, and requests that are refused.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::super::http::{Bounds, serve};
use super::super::message::MOST;
use super::session;
use crate::tests::{Service, journal};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
const OK: &str = "HTTP/1.1 200";

const BOUNDS: Bounds = Bounds {
    sessions: 3,
    idle: Duration::from_secs(60),
    arrival: Duration::from_secs(60),
};

/// A server that ends with the test.
struct Listening {
    address: SocketAddr,
    server: JoinHandle<()>,
    path: PathBuf,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.server.abort();
        std::fs::remove_file(&self.path).unwrap();
    }
}

impl Listening {
    async fn start(name: &str, bounds: Bounds) -> Self {
        let path = journal(name);
        let session = session(&Service::start(0), &path);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            serve(listener, address, session, bounds).await.unwrap();
        });
        Self {
            address,
            server,
            path,
        }
    }

    /// Sends a head with these further lines and a body, and returns the status line without its reason, and the rest of the response.
    async fn send(&self, lines: &str, body: &[u8]) -> (String, String) {
        let head = format!(
            "POST / HTTP/1.1\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\nconnection: close\r\n{lines}\r\n"
        );
        let mut connection = TcpStream::connect(self.address).await.unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        connection.write_all(body).await.unwrap();
        let mut status = [0; OK.len()];
        let read = connection.read_exact(&mut status);
        let read = timeout(Duration::from_secs(20), read).await;
        read.expect("it responds").unwrap();
        let mut rest = vec![0; 4096];
        let length = connection.read(&mut rest).await.unwrap();
        rest.truncate(length);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&status), text(&rest))
    }

    fn host(&self) -> String {
        format!("host: {}\r\n", self.address)
    }

    /// Opens a session, and returns the status.
    async fn open(&self) -> String {
        let lines = format!("{}content-length: {}\r\n", self.host(), HELLO.len());
        self.send(&lines, HELLO.as_bytes()).await.0
    }
}

#[tokio::test]
async fn sessions_without_requests_end_and_leave_room_for_others() {
    let idle = Duration::from_millis(300);
    let http = Listening::start("sessions", Bounds { idle, ..BOUNDS }).await;
    let opened = tokio::join!(http.open(), http.open(), http.open(), http.open());
    let mut opened = [opened.0, opened.1, opened.2, opened.3];
    opened.sort();
    assert_eq!(opened, [OK, OK, OK, "HTTP/1.1 503"]);
    let mut tries = 0;
    while http.open().await != OK {
        tries += 1;
        assert!(tries < 100, "no session ends");
        sleep(idle / 4).await;
    }
}

#[tokio::test]
async fn connections_are_bounded_and_wait_for_one_another() {
    let http = Listening::start("connections", BOUNDS).await;
    let mut connections = Vec::new();
    for _ in 0..2 * BOUNDS.sessions {
        connections.push(TcpStream::connect(http.address).await.unwrap());
    }
    let waiting = timeout(Duration::from_millis(300), http.open()).await;
    assert!(waiting.is_err(), "{waiting:?}");
    connections.clear();
    assert_eq!(http.open().await, OK);
}

/// The body never arrives.
#[tokio::test]
async fn a_page_and_another_host_are_refused_by_their_heads() {
    let http = Listening::start("heads", BOUNDS).await;
    let own = http.host();
    let port = http.address.port();
    for (lines, expected) in [
        ("host: evil.example\r\n".to_owned(), "HTTP/1.1 403"),
        (format!("host: evil.example:{port}\r\n"), "HTTP/1.1 403"),
        (format!("{own}origin: null\r\n"), "HTTP/1.1 403"),
        (
            format!("{own}origin: http://{}\r\n", http.address),
            "HTTP/1.1 403",
        ),
        (String::new(), "HTTP/1.1 403"),
    ] {
        let (status, rest) = http
            .send(&format!("{lines}content-length: 9\r\n"), b"")
            .await;
        assert_eq!(status, expected, "{lines}: {rest}");
    }
    let length = HELLO.len();
    for host in [format!("LocalHost:{port}"), format!("[::1]:{port}")] {
        let lines = format!("host: {host}\r\ncontent-length: {length}\r\n");
        assert_eq!(http.send(&lines, HELLO.as_bytes()).await.0, OK, "{host}");
    }
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_with_its_reason() {
    let arrival = Duration::from_secs(3);
    let http = Listening::start("bodies", Bounds { arrival, ..BOUNDS }).await;
    let large = vec![b' '; MOST + 2];
    for (lines, body, status, words) in [
        (
            format!("content-length: {}", MOST + 2),
            &*large,
            "413",
            "too large",
        ),
        (
            "transfer-encoding: chunked".to_owned(),
            b"no length\r\n",
            "400",
            "could not be read",
        ),
        ("content-length: 9".to_owned(), b"{", "408", "in time"),
        (
            format!("content-length: {}", HELLO.len() + 3),
            format!("\u{feff}{HELLO}").as_bytes(),
            "200",
            "",
        ),
    ] {
        let (found, rest) = http
            .send(&format!("{}{lines}\r\n", http.host()), body)
            .await;
        assert_eq!(found, format!("HTTP/1.1 {status}"), "{lines}: {rest}");
        assert!(rest.contains(words), "{lines}: {rest}");
    }
}
