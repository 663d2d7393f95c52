//! A server on loopback that records a request as it came over the socket and answers with canned bytes. It knows nothing of the API.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use company_intel::{Client, Error, Response};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// The key of every client here. Nothing but the request's header may show it.
pub(crate) const KEY: &str = "canary-5f0c1e";

/// Accepts one connection, answers one request.
pub(crate) struct Server {
    address: SocketAddr,
    recorded: JoinHandle<Recorded>,
}

/// A request as it came over the socket.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    /// The first line, without its line break.
    pub(crate) line: String,
    /// Names in lower case, in the order of arrival.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Server {
    pub(crate) async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let recorded = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let request = read(&mut stream).await.expect("half a request");
            stream.write_all(&answer).await.unwrap();
            stream.shutdown().await.ok();
            request
        });
        Self { address, recorded }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The request; waits for it.
    pub(crate) async fn recorded(self) -> Recorded {
        self.recorded.await.unwrap()
    }
}

impl Recorded {
    /// The value of a query parameter, as it was sent.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let (_, query) = self.line.split(' ').nth(1)?.split_once('?')?;
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// All values of a header.
    pub(crate) fn header(&self, name: &str) -> Vec<&str> {
        let same = self.headers.iter().filter(|(known, _)| known == name);
        same.map(|(_, value)| value.as_str()).collect()
    }
}

/// The next request on a connection; `None` when it ends before one is whole.
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
    // More than was announced would be a second request.
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

/// A listener that nobody is expected to call.
pub(crate) struct Silence(TcpListener);

impl Silence {
    pub(crate) async fn listening() -> Self {
        Self(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// Proves that nobody has connected: connections are accepted in their order, and the first one is ours.
    pub(crate) async fn was_kept(self) -> bool {
        let address = self.0.local_addr().unwrap();
        let ours = TcpStream::connect(address).await.unwrap();
        let (_, first) = self.0.accept().await.unwrap();
        first == ours.local_addr().unwrap()
    }
}

/// An address at which nothing listens, and nothing will while this is kept.
pub(crate) struct Deserted(TcpSocket);

impl Deserted {
    pub(crate) fn reserved() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        Self(socket)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }
}

/// An address at which somebody listens who takes no connection, so that connecting goes on for ever.
pub(crate) struct Crowded {
    address: SocketAddr,
    _listener: TcpListener,
    _waiting: Vec<TcpStream>,
}

impl Crowded {
    pub(crate) async fn listening() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut waiting = Vec::new();
        // Until the queue of those that nobody takes is full.
        while let Ok(stream) =
            timeout(Duration::from_millis(100), TcpStream::connect(address)).await
        {
            waiting.push(stream.unwrap());
        }
        Self {
            address,
            _listener: listener,
            _waiting: waiting,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// A whole answer.
pub(crate) fn answer(status: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

pub(crate) fn json(body: &str) -> String {
    answer("200 OK", "application/json", body)
}

pub(crate) fn client(base_url: impl Into<String>) -> Client {
    Client::builder(base_url).api_key(KEY).build().unwrap()
}

/// What a call puts on the wire, answered with an empty object: a body that decodes or does not, depending on the operation.
pub(crate) async fn sent<T, F>(call: impl FnOnce(Client) -> F) -> Recorded
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    sent_below("", call).await
}

/// The same, with this text behind host and port in the base URL.
pub(crate) async fn sent_below<T, F>(prefix: &str, call: impl FnOnce(Client) -> F) -> Recorded
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let server = Server::answering(json("{}")).await;
    let result = call(client(format!("{}{prefix}", server.url()))).await;
    assert!(matches!(result, Ok(_) | Err(Error::Decode(_))));
    server.recorded().await
}

/// What a call returns when it is answered with these bytes.
pub(crate) async fn answered<T, F>(
    bytes: impl Into<Vec<u8>>,
    call: impl FnOnce(Client) -> F,
) -> Result<Response<T>, Error>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let server = Server::answering(bytes).await;
    let result = call(client(server.url())).await;
    server.recorded().await;
    result
}
