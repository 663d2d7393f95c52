//! The lease of this process on a call, among those that share a store.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::error::CacheError;
use super::store::{Claim, FAILED, Leases, Seen, Store};

/// How long other processes wait for one that does not renew its lease: it died.
const DEAD: Duration = Duration::from_secs(10);
/// How often a lease is renewed.
const RENEWED: Duration = Duration::from_secs(3);

/// A lease, which is renewed until it is dropped.
pub(super) struct Lease {
    store: Arc<dyn Store>,
    key: Arc<str>,
    owner: u64,
    renewal: JoinHandle<()>,
}

/// The wait for a lease.
pub(super) struct Waiting {
    store: Arc<dyn Store>,
    key: Arc<str>,
    owner: u64,
    /// The lease of another process, and since when it was not renewed.
    seen: Option<(Seen, Instant)>,
    /// True if an equal call was waited for before.
    has_waited: bool,
}

/// Result of a look at a lease.
pub(super) enum Look {
    Own(Lease),
    /// Another process makes the call.
    Other,
    /// Another process has made the call while this one waited. It may have had its effect, and has no response.
    Failed,
}

impl Waiting {
    pub(super) fn new(store: &Arc<dyn Store>, key: &Arc<str>, has_waited: bool) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let call = COUNT.fetch_add(1, Ordering::Relaxed);
        let random = RandomState::new().hash_one((std::process::id(), call));
        Self {
            store: Arc::clone(store),
            key: Arc::clone(key),
            owner: random.max(FAILED.saturating_add(1)),
            seen: None,
            has_waited,
        }
    }

    /// Returns whether another one has made the call while this one waited.
    pub(super) fn has_waited(&self) -> bool {
        self.has_waited || self.seen.is_some()
    }

    /// Takes the lease, if it is free or dead.
    pub(super) async fn look(&mut self, leases: &dyn Leases) -> Result<Look, CacheError> {
        let dead = self.seen.filter(|(_, since)| since.elapsed() >= DEAD);
        let dead = dead.map(|(seen, _)| seen);
        let mut claim = leases.claim(&self.key, self.owner, dead).await?;
        if let Claim::Other(seen) = claim
            && seen.owner == FAILED
        {
            if self.has_waited() {
                return Ok(Look::Failed);
            }
            // Of an earlier call.
            claim = leases.claim(&self.key, self.owner, Some(seen)).await?;
        }
        let seen = match claim {
            Claim::Own => return Ok(Look::Own(self.lease()?)),
            Claim::Other(seen) => seen,
        };
        if self.seen.is_none_or(|(before, _)| before != seen) {
            self.seen = Some((seen, Instant::now()));
        }
        Ok(Look::Other)
    }

    fn lease(&self) -> Result<Lease, CacheError> {
        let runtime = Handle::try_current().map_err(CacheError::no_runtime)?;
        let (store, key, owner) = (Arc::clone(&self.store), Arc::clone(&self.key), self.owner);
        Ok(Lease {
            store: Arc::clone(&self.store),
            key: Arc::clone(&self.key),
            owner,
            renewal: runtime.spawn(renew(store, key, owner)),
        })
    }
}

impl Lease {
    /// Returns whether the lease is still that of this process: if it slept, another one may make the call.
    pub(super) async fn is_held(&self) -> Result<bool, CacheError> {
        match self.store.leases() {
            Some(leases) => leases.renew(&self.key, self.owner).await,
            None => Ok(true),
        }
    }

    /// Ends the lease, before the process may end. `has_failed`: the call may have had its effect, and has no response, which those that wait are told.
    pub(super) async fn end(&self, has_failed: bool) {
        if let Some(leases) = self.store.leases() {
            // If it fails, others find the lease dead.
            _ = leases.end(&self.key, self.owner, has_failed).await;
        }
    }
}

/// Ends the lease of a call that was cancelled, soon. Without a runtime, others find it dead.
impl Drop for Lease {
    fn drop(&mut self) {
        self.renewal.abort();
        if let (Some(leases), Ok(runtime)) = (self.store.leases(), Handle::try_current()) {
            runtime.spawn(leases.end(&self.key, self.owner, false));
        }
    }
}

async fn renew(store: Arc<dyn Store>, key: Arc<str>, owner: u64) {
    loop {
        sleep(RENEWED).await;
        if let Some(leases) = store.leases() {
            // If it fails, the next renewal may succeed in time.
            _ = leases.renew(&key, owner).await;
        }
    }
}
