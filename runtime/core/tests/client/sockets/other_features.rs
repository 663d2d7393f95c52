//! Features of reqwest that other crates enable, here by a dev-dependency, leave the requests and the state of a client unchanged.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::request::Request;
use generated_client::{Client, ClientBuilder, Error};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::support::api::{API, KEY, LIST};

/// The heads of the requests, each with the number of its connection.
#[derive(Clone, Default)]
struct Heads(Arc<Mutex<Vec<(usize, String)>>>);

impl Heads {
    /// Starts a service that gives every request the same response, and keeps its connections.
    async fn of(&self, response: Vec<u8>) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let heads = self.clone();
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(heads.clone().keep(connection, stream, response.clone()));
            }
        });
        base_url
    }

    async fn keep(self, connection: usize, stream: TcpStream, response: Vec<u8>) {
        let mut stream = BufReader::new(stream);
        let mut head = String::new();
        while stream.read_line(&mut head).await.unwrap_or(0) > 0 {
            if head.ends_with("\r\n\r\n") {
                let head = std::mem::take(&mut head);
                self.0.lock().unwrap().push((connection, head));
                stream.write_all(&response).await.unwrap();
            }
        }
    }

    fn connections(&self) -> Vec<usize> {
        self.0
            .lock()
            .unwrap()
            .iter()
            .map(|(connection, _)| *connection)
            .collect()
    }

    fn names(&self) -> Vec<Vec<String>> {
        let heads = self.0.lock().unwrap();
        let names = |head: &str| {
            let fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
            let mut names: Vec<_> = fields.map(|(name, _)| name.to_lowercase()).collect();
            names.sort();
            names
        };
        heads.iter().map(|(_, head)| names(head)).collect()
    }
}

fn client(base_url: String) -> Client {
    let builder = ClientBuilder::new(&API, base_url).api_key(KEY);
    builder.build().unwrap()
}

fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{headers}content-length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

#[tokio::test]
async fn no_request_has_a_header_that_nobody_asked_for() {
    let heads = Heads::default();
    let cookie = "set-cookie: a=b; Path=/\r\n";
    let client = client(heads.of(response(cookie, b"null")).await);
    for _ in 0..2 {
        client.send::<Value>(Request::new(&LIST)).await.unwrap();
    }
    let expected = ["accept", "host", "user-agent", "x-api-key"];
    assert_eq!(heads.names(), [expected, expected]);
}

#[tokio::test]
async fn a_compressed_body_is_kept_as_it_arrived() {
    // `{}`, by gzip.
    const ZIPPED: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\xae\x05\0\x43\xbf\xa6\xa3\x02\0\0\0";
    for encoding in ["gzip", "deflate", "br", "zstd"] {
        let header = format!("content-encoding: {encoding}\r\n");
        let client = client(Heads::default().of(response(&header, ZIPPED)).await);
        let sent = client.send::<Value>(Request::new(&LIST)).await;
        let error = sent.unwrap_err();
        assert!(matches!(error, Error::Decode(_)), "{encoding}: {error:?}");
        assert_eq!(error.body().unwrap(), ZIPPED, "{encoding}");
        assert_eq!(error.headers().unwrap()["content-encoding"], encoding);
    }
}

#[tokio::test]
async fn a_connection_that_was_idle_for_a_second_is_not_used_again() {
    let heads = Heads::default();
    let client = client(heads.of(response("", b"null")).await);
    for pause in [0, 0, 1100] {
        sleep(Duration::from_millis(pause)).await;
        client.send::<Value>(Request::new(&LIST)).await.unwrap();
    }
    assert_eq!(heads.connections(), [0, 0, 1]);
}
