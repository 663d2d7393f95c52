//! The connection of a store, and a step through it.

use std::fmt;
use std::sync::Arc;

use redis::Script;

use super::lines::Lines;
use super::link::{Link, Server};
use crate::account::error::StoreError;

/// Keeps accounts in Redis 6.2 or later, or in Valkey, for any number of processes.
///
/// Each step is one script, and all keys of an account have one hash tag: `metered:{name}:…`. The scripts take the time from the server.
/// All steps share one connection, which is reopened when it breaks. A reservation goes to no server that was not checked before.
///
/// # What survives
///
/// A restart of workers loses nothing. What a restart of the server loses depends on its settings: with `appendonly yes` and
/// `appendfsync always` nothing, with `everysec` up to a second, with snapshots alone all since the last one. A failover loses what
/// the replica had not received; one that the primary takes part in (`FAILOVER`) loses nothing. What was lost may be spent once more, so
/// the limit can be exceeded by the amount granted in the lost time. A charge whose reservation was lost still counts, also in
/// [`AccountUsage::strays`](crate::account::AccountUsage::strays).
///
/// A store that has lost everything refuses to spend until the account is opened with a limit again. It then begins with nothing spent. To
/// prevent this, set the limit once, and let workers open the account without one.
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
    pub(super) link: Arc<Link>,
}

impl RedisStore {
    pub(super) async fn run(
        &self,
        account: &str,
        script: &Script,
        arguments: Vec<String>,
    ) -> Result<Lines, StoreError> {
        let server = self.link.server().await?;
        self.run_on(&server, account, script, arguments).await
    }

    pub(super) async fn run_on(
        &self,
        server: &Server,
        account: &str,
        script: &Script,
        arguments: Vec<String>,
    ) -> Result<Lines, StoreError> {
        let mut invocation = script.key(prefix(account));
        for argument in arguments {
            invocation.arg(argument);
        }
        let lines = invocation.invoke_async(&mut server.connection()).await;
        lines
            .map(Lines::new)
            .map_err(|error| self.link.failed(server, error))
    }
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
