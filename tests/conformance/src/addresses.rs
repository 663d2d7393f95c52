//! Addresses on loopback at which no request is read.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

/// A listener that expects no connection.
pub struct Silence(TcpListener);

impl Silence {
    pub async fn listening() -> Self {
        Self(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap())
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// Returns whether no client has connected: connections are accepted in order, so ours must be the first.
    pub async fn was_kept(&self) -> bool {
        let address = self.0.local_addr().unwrap();
        let ours = TcpStream::connect(address).await.unwrap();
        let (_, first) = self.0.accept().await.unwrap();
        first == ours.local_addr().unwrap()
    }
}

/// An address without a listener, reserved until this is dropped.
pub struct Deserted(TcpSocket);

impl Deserted {
    pub fn reserved() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        Self(socket)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }
}

/// An address whose listener accepts no connection, so that connecting never ends.
pub struct Crowded {
    address: SocketAddr,
    _listener: TcpListener,
    _waiting: Vec<TcpStream>,
}

impl Crowded {
    pub async fn listening() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut waiting = Vec::new();
        // Fill the queue of unaccepted connections.
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

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}
