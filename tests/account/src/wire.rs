//! A connection between workers and a server, which can be cut at the worst moment, and moved to another server.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Handling of the bytes on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// All bytes arrive.
    Whole,
    /// Half of the next request arrives, then the connection is cut.
    HalfARequest,
    /// The next reply is lost, then the connection is cut: the request has been executed.
    NoReply,
    /// No bytes arrive any more; every connection is cut.
    Down,
}

#[derive(Debug)]
struct State {
    target: Mutex<SocketAddr>,
    flow: watch::Sender<Flow>,
}

/// Forwards connections to a server. Dropping it closes all of them.
#[derive(Debug)]
pub struct Wire {
    address: SocketAddr,
    state: Arc<State>,
    listening: JoinHandle<()>,
}

impl Wire {
    /// Listens on a free port of this machine.
    ///
    /// # Errors
    ///
    /// There is no free port.
    pub async fn to(target: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let state = Arc::new(State {
            target: Mutex::new(target),
            flow: watch::Sender::new(Flow::Whole),
        });
        Ok(Self {
            address: listener.local_addr()?,
            listening: tokio::spawn(listen(listener, Arc::clone(&state))),
            state,
        })
    }

    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of the server behind it.
    pub fn url(&self) -> String {
        format!("redis://{}/", self.address)
    }

    /// Changes the handling of the bytes on all connections from now on.
    pub fn set(&self, flow: Flow) {
        self.state.flow.send_replace(flow);
    }

    /// Forwards new connections to this server. Existing ones stay with theirs, as when a name is resolved to another address.
    pub fn move_to(&self, target: SocketAddr) {
        *self.state.target() = target;
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.set(Flow::Down);
        self.listening.abort();
    }
}

impl State {
    fn target(&self) -> std::sync::MutexGuard<'_, SocketAddr> {
        self.target.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn listen(listener: TcpListener, state: Arc<State>) {
    while let Ok((near, _)) = listener.accept().await {
        let flow = state.flow.subscribe();
        let target = *state.target();
        if *flow.borrow() != Flow::Down {
            tokio::spawn(connect(near, target, flow));
        }
    }
}

/// Forwards in both directions until one of them ends.
async fn connect(near: TcpStream, target: SocketAddr, flow: watch::Receiver<Flow>) {
    let Ok(far) = TcpStream::connect(target).await else {
        return;
    };
    _ = near.set_nodelay(true);
    _ = far.set_nodelay(true);
    let (near, far) = (near.into_split(), far.into_split());
    let mut cut = flow.clone();
    tokio::select! {
        () = forward(near.0, far.1, &flow, Flow::HalfARequest) => {}
        () = forward(far.0, near.1, &flow, Flow::NoReply) => {}
        _ = cut.wait_for(|flow| *flow == Flow::Down) => {}
    }
}

async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    flow: &watch::Receiver<Flow>,
    end: Flow,
) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let is_end = *flow.borrow() == end;
        let passed = match end {
            _ if !is_end => length,
            Flow::HalfARequest => length / 2,
            _ => 0,
        };
        let passed = bytes.get(..passed).unwrap_or_default();
        if to.write_all(passed).await.is_err() || is_end {
            return;
        }
    }
}
