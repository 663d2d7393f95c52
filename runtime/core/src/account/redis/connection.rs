//! The connection of a store, and a step through it.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "cache")]
use redis::{Cmd, FromRedisValue};

use super::lines::Lines;
use super::link::{Link, Server};
use super::scripts::Step;
use crate::account::error::StoreError;
#[cfg(feature = "test-util")]
use crate::account::store::{SimulatedStep, Simulation};

/// Keeps accounts in Redis 6.2 or later, or in Valkey, for any number of processes.
///
/// Each step is one script, which takes the time from the server. All steps share one connection, which leads to one server. It is reopened
/// when it breaks, after a step without a reply within two seconds, and when the server has become a replica. A reservation goes to no server
/// that was not checked before.
///
/// All keys of an account have one hash tag, `metered:{name}:…`, so that a cluster makes none faster: several accounts can go to several servers.
/// A call leaves one small key for 15 minutes. Calls at risk stay until they are settled, the sums of a period for 90 days after its end.
///
/// # What survives
///
/// A restart of workers loses nothing. What a crash of the server loses depends on its
/// [settings](https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/):
///
/// | setting | a crash of the server loses | a call costs |
/// |---|---|---|
/// | `appendonly yes`, `appendfsync always` | nothing | two writes to the disk, shared by calls at the same time |
/// | `appendonly yes`, `appendfsync everysec` | up to a second | two round trips |
/// | only snapshots | all since the last one | two round trips |
///
/// A failover loses what the replica had not received; one that the primary takes part in (`FAILOVER`) loses nothing. What was lost may be spent
/// once more, so the limit can be exceeded by the amount granted in the lost time. A charge whose reservation was lost still counts, also in
/// [`AccountUsage::strays`](crate::account::AccountUsage::strays): compare the account with the provider's account then.
///
/// A store that has lost the limit refuses all calls: `account_unavailable()` of their errors says so.
/// Set the limit again, to what is left by the provider's account: the account begins with nothing spent. A worker that opens the account with a
/// limit would grant all of it again, so set the limit once, and let workers open the account without one.
///
/// ```no_run
/// use generated_client::account::{Account, RedisStore};
/// use generated_client::Credits;
///
/// # async fn open() -> Result<(), Box<dyn std::error::Error>> {
/// let store = RedisStore::connect("redis://127.0.0.1/").await?;
/// let account = Account::named("research").limit(Credits::new(1000)).open(store).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RedisStore {
    pub(super) engine: Engine,
}

/// What runs the scripts.
#[derive(Clone)]
pub(super) enum Engine {
    Server(Arc<Link>),
    #[cfg(feature = "test-util")]
    Simulated(Arc<dyn Simulation>),
}

impl RedisStore {
    /// Returns a store whose scripts run in a simulation.
    #[cfg(feature = "test-util")]
    #[doc(hidden)]
    pub fn simulated(simulation: Arc<dyn Simulation>) -> Self {
        Self {
            engine: Engine::Simulated(simulation),
        }
    }

    /// Sends a command of a cache, whose keys are apart from those of accounts.
    #[cfg(feature = "cache")]
    pub(crate) async fn query<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, StoreError> {
        match &self.engine {
            Engine::Server(link) => {
                let server = link.server().await?;
                let reply = command.query_async(&mut server.connection()).await;
                reply.map_err(|error| link.failed(&server, error))
            }
            #[cfg(feature = "test-util")]
            Engine::Simulated(_) => Err(StoreError::new("a simulation has no cache")),
        }
    }

    /// Runs a script, and one that needs it only on a server that was checked.
    pub(super) async fn run(
        &self,
        account: &str,
        step: &Step,
        arguments: Vec<String>,
    ) -> Result<Lines, StoreError> {
        match &self.engine {
            Engine::Server(link) => {
                let server = if step.is_checked {
                    link.checked().await?
                } else {
                    link.server().await?
                };
                run_on(link, &server, account, step, arguments).await
            }
            #[cfg(feature = "test-util")]
            Engine::Simulated(simulation) => {
                simulate(&**simulation, account, step, arguments).await
            }
        }
    }
}

async fn run_on(
    link: &Link,
    server: &Server,
    account: &str,
    step: &Step,
    arguments: Vec<String>,
) -> Result<Lines, StoreError> {
    let mut invocation = step.script.key(prefix(account));
    for argument in arguments {
        invocation.arg(argument);
    }
    let lines = invocation.invoke_async(&mut server.connection()).await;
    lines
        .map(Lines::new)
        .map_err(|error| link.failed(server, error))
}

#[cfg(feature = "test-util")]
async fn simulate(
    simulation: &dyn Simulation,
    account: &str,
    step: &Step,
    arguments: Vec<String>,
) -> Result<Lines, StoreError> {
    let lines = simulation.run(SimulatedStep {
        file: step.file,
        code: step.code,
        prefix: prefix(account),
        arguments,
    });
    lines.await.map(Lines::new).map_err(StoreError::new)
}

/// Returns the prefix of keys. Its hash tag keeps all keys of an account in one slot.
pub(super) fn prefix(account: &str) -> String {
    format!("metered:{{{account}}}:")
}

/// Omits the address, which may contain a password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").finish_non_exhaustive()
    }
}
