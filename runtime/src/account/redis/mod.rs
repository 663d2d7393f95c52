//! Accounts in Redis or Valkey: a script for each step.
//!
//! Amounts are whole millionths of a credit. The scripts count in the numbers of Lua, which are exact up to 2^53.

mod connect;
mod lines;
mod scripts;
mod steps;

use std::fmt;

use redis::Script;
use redis::aio::ConnectionManager;

use self::connect::{Readers, failed};
use self::lines::Lines;
use super::error::StoreError;

/// Keeps accounts in Redis 6.2 or later, or in Valkey, for any number of processes.
///
/// Each step is one script, and all keys of an account have one hash tag: `metered:{name}:…`. The scripts take the time from the server.
/// One connection carries everything, and is made again when it breaks.
///
/// # What survives
///
/// A restart of workers loses nothing. What a restart of the server loses is up to its settings: with `appendonly yes` and
/// `appendfsync always` nothing, with `everysec` up to a second, with snapshots alone all since the last one. A failover loses what
/// the replica had not received. A charge whose reservation was lost still counts, and
/// [`AccountUsage::strays`](super::AccountUsage::strays) tells of it.
///
/// ```no_run
/// use metered_client::account::{Account, RedisStore};
/// use metered_client::Credits;
///
/// # async fn open() -> Result<(), Box<dyn std::error::Error>> {
/// let store = RedisStore::connect("redis://127.0.0.1/").await?;
/// let account = Account::named("enrichment").limit(Credits::new(1000)).open(store).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RedisStore {
    connection: ConnectionManager,
    readers: Readers,
}

impl RedisStore {
    async fn run(
        &self,
        account: &str,
        script: &Script,
        arguments: Vec<String>,
    ) -> Result<Lines, StoreError> {
        let mut invocation = script.key(prefix(account));
        for argument in arguments {
            invocation.arg(argument);
        }
        let mut connection = self.connection.clone();
        let lines = invocation.invoke_async(&mut connection).await;
        lines.map(Lines::new).map_err(failed)
    }
}

/// The hash tag keeps all keys of an account in one slot.
fn prefix(account: &str) -> String {
    format!("metered:{{{account}}}:")
}

/// Without the address, which may have a password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").finish_non_exhaustive()
    }
}
