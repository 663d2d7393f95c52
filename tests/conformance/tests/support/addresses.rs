//! Addresses on loopback at which no request is read.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

/// A listener that is never expected to be called.
pub(crate) struct Silence(TcpListener);

impl Silence {
    pub(crate) async fn listening() -> Self {
        Self(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// Proves that no client has connected: connections are accepted in their order, and the first one is ours.
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
        // Until the queue of unaccepted connections is full.
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
