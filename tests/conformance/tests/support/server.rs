//! A server on loopback that records the raw request and responds with canned bytes. It knows nothing of the API.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A server that accepts one connection and responds to one request.
pub(crate) struct Server {
    address: SocketAddr,
    recorded: JoinHandle<Recorded>,
}

/// A raw request.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    /// First line, without its line break.
    pub(crate) line: String,
    /// Names in lower case, in the order of arrival.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
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

impl Recorded {
    /// Returns the raw value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let (_, query) = self.line.split(' ').nth(1)?.split_once('?')?;
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Returns all values of a header.
    pub(crate) fn header(&self, name: &str) -> Vec<&str> {
        let same = self.headers.iter().filter(|(known, _)| known == name);
        same.map(|(_, value)| value.as_str()).collect()
    }
}

/// Reads the next request on a connection; `None` if it ends before the request is complete.
pub(crate) async fn read(stream: &mut TcpStream) -> Option<Recorded> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let line = lines.next().unwrap().to_owned();
    let headers: Vec<_> = lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();

    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = bytes[head_end + 4..].to_vec();
    while body.len() < length {
        more(stream, &mut body).await?;
    }
    // Bytes beyond the announced length would be a second request.
    assert_eq!(body.len(), length);
    let body = String::from_utf8(body).unwrap();
    Some(Recorded {
        line,
        headers,
        body,
    })
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let read = stream.read_buf(bytes).await.ok()?;
    (read > 0).then_some(())
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
