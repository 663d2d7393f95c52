//! Requests, as a service reads them from a socket.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// A raw request.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// First line, without its line break.
    pub line: String,
    /// Names in lower case, in the order of arrival.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Recorded {
    /// Returns the raw value of a query parameter.
    pub fn query(&self, name: &str) -> Option<&str> {
        let (_, query) = self.line.split(' ').nth(1)?.split_once('?')?;
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Returns all values of a header.
    pub fn header(&self, name: &str) -> Vec<&str> {
        let same = self.headers.iter().filter(|(known, _)| known == name);
        same.map(|(_, value)| value.as_str()).collect()
    }
}

/// Reads the next request on a connection; `None` if it ends before the request is complete.
pub async fn read(stream: &mut TcpStream) -> Option<Recorded> {
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
