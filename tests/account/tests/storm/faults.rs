//! The faults of a storm, one after the other.

use std::time::Duration;

use account_tests::Server;
use account_tests::wire::Flow;
use redis::AsyncConnectionConfig;
use tokio::time::sleep;

use crate::storm::Storm;

/// Timeout for a server's reply.
const PATIENCE: Duration = Duration::from_secs(10);

/// A fault.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// A worker is killed and replaced.
    WorkerKilled,
    /// A worker is stopped, sometimes for longer than a lease, and continues.
    WorkerStopped,
    /// The server is stopped, and continues.
    ServerStopped,
    /// The server is killed, and restarts with the data that it had written.
    ServerKilled,
    /// The server closes all connections.
    ConnectionsClosed,
    /// Requests break off in the middle.
    RequestsCut,
    /// Replies are lost after the script has run.
    RepliesLost,
    /// No connection reaches the server.
    ServerUnreachable,
}

const ALL: [Fault; 8] = [
    Fault::WorkerKilled,
    Fault::WorkerStopped,
    Fault::ServerStopped,
    Fault::ServerKilled,
    Fault::ConnectionsClosed,
    Fault::RequestsCut,
    Fault::RepliesLost,
    Fault::ServerUnreachable,
];

impl Storm {
    /// Runs each fault once; order and duration depend on the seed.
    pub(super) async fn rage(&mut self) {
        let mut faults = ALL;
        self.random.shuffle(&mut faults);
        for fault in faults {
            self.suffer(fault).await;
            self.rest(50, 400).await;
        }
    }

    /// Waits for a random number of milliseconds in this range.
    pub(super) async fn rest(&mut self, least: u64, most: u64) {
        sleep(Duration::from_millis(self.random.u64(least..=most))).await;
    }

    async fn suffer(&mut self, fault: Fault) {
        let worker = self.random.usize(..self.workers.count());
        match fault {
            Fault::WorkerKilled => {
                self.workers.kill(worker).await;
                self.workers.start();
            }
            Fault::WorkerStopped => {
                self.workers.signal(worker, "STOP");
                self.rest(200, 1800).await;
                self.workers.signal(worker, "CONT");
            }
            Fault::ServerStopped => {
                self.server.signal("STOP").unwrap();
                self.rest(50, 1800).await;
                self.server.signal("CONT").unwrap();
            }
            Fault::ServerKilled => {
                self.server.kill().unwrap();
                self.rest(0, 500).await;
                self.server.restart().await.unwrap();
            }
            Fault::ConnectionsClosed => self.close_connections().await,
            Fault::RequestsCut => self.flow(Flow::HalfARequest).await,
            Fault::RepliesLost => self.flow(Flow::NoReply).await,
            Fault::ServerUnreachable => self.flow(Flow::Down).await,
        }
    }

    async fn flow(&mut self, flow: Flow) {
        self.wire.set(flow);
        self.rest(10, 300).await;
        self.wire.set(Flow::Whole);
    }

    async fn close_connections(&self) {
        for kind in ["normal", "pubsub"] {
            ask(&self.server, &format!("CLIENT KILL TYPE {kind} SKIPME yes")).await;
        }
    }
}

/// Queries a server directly. One that has just started may need some time.
pub(super) async fn ask(server: &Server, command: &str) -> String {
    let client = redis::Client::open(server.url()).unwrap();
    let mut words = command.split(' ');
    let mut command = redis::cmd(words.next().unwrap());
    words.for_each(|word| _ = command.arg(word));
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(PATIENCE))
        .set_response_timeout(Some(PATIENCE));
    let connection = client.get_multiplexed_async_connection_with_config(&config);
    let mut connection = connection.await.unwrap();
    let said: redis::Value = command.query_async(&mut connection).await.unwrap();
    redis::from_redis_value(said).unwrap_or_default()
}
