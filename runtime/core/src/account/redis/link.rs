//! The connection to the server. When it breaks, another one is made, and its server checked before anything is reserved there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, PushInfo, RedisError};
use tokio::runtime::Handle;
use tokio::sync::{broadcast, mpsc};
use tokio::time::Instant;

use super::fitness::fitness;
use crate::account::error::StoreError;
use crate::lock::lock;
use crate::money::budget::AtRiskId;

/// How long connecting to a server may take.
const CONNECT: Duration = Duration::from_secs(2);
/// How long a step may take before its reply counts as lost.
const STEP: Duration = Duration::from_secs(2);

/// What a server says that is, or may be, no primary any more.
const DEMOTED: [&str; 3] = ["READONLY", "NOREPLICAS", "MASTERDOWN"];

/// A connection to one server: it ends with it, and never leads to another one.
#[derive(Clone)]
pub(super) struct Server {
    number: u64,
    connection: MultiplexedConnection,
    is_fit: Arc<AtomicBool>,
}

impl Server {
    pub(super) fn connection(&self) -> MultiplexedConnection {
        self.connection.clone()
    }
}

/// The current connection, and what the next one needs.
pub(super) struct Link {
    client: Client,
    /// The runtime that opened the store, and drives all connections.
    runtime: Handle,
    current: Mutex<Option<Server>>,
    attempts: tokio::sync::Mutex<Attempts>,
    /// Those who want to know, by the channels of their account.
    readers: Mutex<HashMap<String, broadcast::Sender<AtRiskId>>>,
    /// Messages, with the number of their connection.
    pushes: mpsc::UnboundedSender<(u64, PushInfo)>,
}

/// Attempts to connect: one at a time.
#[derive(Default)]
struct Attempts {
    made: u64,
    failed: Option<(Instant, StoreError)>,
}

impl Link {
    pub(super) fn new(
        client: Client,
        runtime: Handle,
        pushes: mpsc::UnboundedSender<(u64, PushInfo)>,
    ) -> Self {
        Self {
            client,
            runtime,
            current: Mutex::default(),
            attempts: tokio::sync::Mutex::default(),
            readers: Mutex::default(),
            pushes,
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<Server>> {
        lock(&self.current)
    }

    pub(super) fn readers(&self) -> MutexGuard<'_, HashMap<String, broadcast::Sender<AtRiskId>>> {
        lock(&self.readers)
    }

    /// Returns the connection, and makes one where there is none.
    pub(super) async fn server(self: &Arc<Self>) -> Result<Server, StoreError> {
        if let Some(server) = self.current().clone() {
            return Ok(server);
        }
        let (link, begun) = (Arc::clone(self), Instant::now());
        // It goes on when its caller leaves.
        let connecting = self.runtime.spawn(async move { link.connect(begun).await });
        connecting
            .await
            .unwrap_or_else(|_| Err(StoreError::new("the Tokio runtime of the store has ended")))
    }

    /// Connects, unless another attempt has done so or failed since then.
    async fn connect(&self, since: Instant) -> Result<Server, StoreError> {
        let mut attempts = self.attempts.lock().await;
        if let Some(server) = self.current().clone() {
            return Ok(server);
        }
        if let Some((_, error)) = attempts.failed.as_ref().filter(|(at, _)| *at >= since) {
            return Err(error.clone());
        }
        attempts.made = attempts.made.saturating_add(1);
        match self.make(attempts.made).await {
            Ok(server) => {
                *self.current() = Some(server.clone());
                Ok(server)
            }
            Err(error) => {
                attempts.failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    async fn make(&self, number: u64) -> Result<Server, StoreError> {
        let pushes = self.pushes.clone();
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(STEP))
            .set_push_sender(move |push| pushes.send((number, push)));
        let connecting = self
            .client
            .get_multiplexed_async_connection_with_config(&config);
        let mut connection = connecting.await.map_err(failed)?;
        let channels: Vec<String> = self.readers().keys().cloned().collect();
        if !channels.is_empty() {
            connection.subscribe(channels).await.map_err(failed)?;
        }
        Ok(Server {
            number,
            connection,
            is_fit: Arc::default(),
        })
    }

    /// Returns a connection whose server can keep accounts. What is sent through it reaches that server or none.
    pub(super) async fn checked(self: &Arc<Self>) -> Result<Server, StoreError> {
        let server = self.server().await?;
        if !server.is_fit.load(Ordering::Acquire) {
            let about: Result<String, _> = redis::cmd("INFO")
                .query_async(&mut server.connection())
                .await;
            let about = about.map_err(|error| self.failed(&server, error))?;
            // There may be another one by the next attempt.
            fitness(&about).inspect_err(|_| self.leave(server.number))?;
            server.is_fit.store(true, Ordering::Release);
        }
        Ok(server)
    }

    /// Makes the next step connect anew, if this connection is still the current one.
    pub(super) fn leave(&self, number: u64) {
        self.current().take_if(|server| server.number == number);
    }

    /// Returns the error of a step. It leaves a connection that is broken or silent, and a server that takes no writes.
    pub(super) fn failed(&self, server: &Server, error: RedisError) -> StoreError {
        if error.is_unrecoverable_error() || error.is_timeout() || is_demoted(&error) {
            self.leave(server.number);
        }
        failed(error)
    }
}

fn is_demoted(error: &RedisError) -> bool {
    // Redis 6.2 puts the code of an error in a script into the message.
    let parts = [error.code(), error.detail()].map(Option::unwrap_or_default);
    DEMOTED
        .iter()
        .any(|word| parts.iter().any(|part| part.contains(word)))
}

/// Returns an error without the data that was sent.
pub(super) fn failed(error: RedisError) -> StoreError {
    StoreError::new(format!("Redis: {error}"))
}
