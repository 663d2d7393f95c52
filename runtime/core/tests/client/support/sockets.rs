//! Addresses of this machine.

use std::net::Ipv4Addr;

use tokio::net::TcpSocket;

/// Returns an address at which nothing listens while the socket is kept.
pub(crate) fn deserted() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    (socket, url)
}
