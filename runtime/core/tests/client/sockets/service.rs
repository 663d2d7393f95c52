//! A service on a socket of this machine, for clients of an API that costs nothing.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use generated_client::document::{Api, Auth, Operation};
use generated_client::{Client, ClientBuilder};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::support::api::KEY;

pub(crate) static PLAIN: Api = Api {
    auth: Auth::Header("x-api-key"),
    ..Api::new("example", "1.2.3", "EXAMPLE")
};

pub(crate) static PLAIN_LIST: Operation = Operation::get("listThings", "/v1/things");

pub(crate) static PLAIN_CREATE: Operation = Operation::post("createThing", "/v1/things");

/// A request: its connection, its head, and its body.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) connection: usize,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// Keeps its connections, and notes what it receives.
#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Service {
    /// Responds with what `respond` makes of a request's path and query.
    pub(crate) async fn of(respond: impl Fn(&str) -> Vec<u8> + Clone + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let service = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            received: Arc::default(),
        };
        let own = service.clone();
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(own.clone().serve(connection, stream, respond.clone()));
            }
        });
        service
    }

    async fn serve(self, connection: usize, stream: TcpStream, respond: impl Fn(&str) -> Vec<u8>) {
        let mut stream = BufReader::new(stream);
        loop {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
                    return;
                }
            }
            let path = head.split(' ').nth(1).unwrap().to_owned();
            let body = self.body(&mut stream, &head).await;
            self.received.lock().unwrap().push(Received {
                connection,
                head,
                body,
            });
            if stream.write_all(&respond(&path)).await.is_err() {
                return;
            }
        }
    }

    async fn body(&self, stream: &mut BufReader<TcpStream>, head: &str) -> Vec<u8> {
        let mut body = Vec::new();
        let lower = head.to_lowercase();
        let length = lower.split("content-length: ").nth(1);
        if let Some(length) = length {
            let length = length.lines().next().unwrap().parse().unwrap();
            stream.take(length).read_to_end(&mut body).await.unwrap();
        } else if lower.contains("transfer-encoding: chunked") {
            loop {
                let mut size = String::new();
                stream.read_line(&mut size).await.unwrap();
                let Ok(size) = u64::from_str_radix(size.trim(), 16) else {
                    return body;
                };
                let mut chunk = Vec::new();
                stream.take(size + 2).read_to_end(&mut chunk).await.unwrap();
                if size == 0 {
                    return body;
                }
                body.extend_from_slice(&chunk[..chunk.len() - 2]);
            }
        }
        body
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub(crate) fn builder(&self) -> ClientBuilder {
        ClientBuilder::new(&PLAIN, &*self.url).api_key(KEY)
    }

    pub(crate) fn client(&self) -> Client {
        self.builder().build().unwrap()
    }
}

pub(crate) fn response(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

pub(crate) fn redirect(status: u16, location: &str) -> Vec<u8> {
    response(status, &format!("location: {location}\r\n"), b"")
}
