//! A server on loopback that records the raw request and responds with canned bytes. It knows nothing of the API.

use std::net::{Ipv4Addr, SocketAddr};

pub(crate) use conformance_tests::request::{Recorded, read};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A server that accepts one connection and responds to one request.
pub(crate) struct Server {
    address: SocketAddr,
    recorded: JoinHandle<Recorded>,
}

impl Server {
    pub(crate) async fn responding(response: impl Into<Vec<u8>>) -> Self {
        let response = response.into();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let recorded = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let request = read(&mut stream).await.expect("half a request");
            stream.write_all(&response).await.unwrap();
            stream.shutdown().await.ok();
            request
        });
        Self { address, recorded }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Waits for the request.
    pub(crate) async fn recorded(self) -> Recorded {
        self.recorded.await.unwrap()
    }
}

/// Returns a whole response.
pub(crate) fn response(status: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

pub(crate) fn json_response(body: &str) -> String {
    response("200 OK", "application/json", body)
}
