//! The lease of this process on a call, among those that share a store.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::error::CacheError;
use super::store::Store;

/// How long other processes wait for one that does not renew its lease: it died.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// How often a lease is renewed.
const RENEWED: Duration = Duration::from_secs(3);

/// A lease, which is renewed until it is dropped.
pub(super) struct Lease {
    store: Arc<dyn Store>,
    key: Arc<str>,
    owner: u64,
    renewal: JoinHandle<()>,
}

impl Lease {
    /// Takes the lease on a call. `Ok(None)`: another process has it.
    pub(super) async fn claim(
        store: &Arc<dyn Store>,
        key: &Arc<str>,
    ) -> Result<Option<Self>, CacheError> {
        let owner = owner();
        let Some(leases) = store.leases() else {
            return Ok(None);
        };
        if !leases.claim(key, owner, LEASE).await? {
            return Ok(None);
        }
        Ok(Some(Self {
            store: Arc::clone(store),
            key: Arc::clone(key),
            owner,
            renewal: tokio::spawn(renew(Arc::clone(store), Arc::clone(key), owner)),
        }))
    }
}

/// Gives the lease back, soon.
impl Drop for Lease {
    fn drop(&mut self) {
        self.renewal.abort();
        let released = self.store.leases();
        let released = released.map(|leases| leases.release(&self.key, self.owner));
        // Without a runtime, it ends after its time.
        if let (Some(released), Ok(runtime)) = (released, Handle::try_current()) {
            runtime.spawn(released);
        }
    }
}

async fn renew(store: Arc<dyn Store>, key: Arc<str>, owner: u64) {
    loop {
        sleep(RENEWED).await;
        if let Some(leases) = store.leases() {
            // If it fails, the next renewal may succeed in time.
            _ = leases.claim(&key, owner, LEASE).await;
        }
    }
}

/// Returns a number that no other call has, in this process or another.
fn owner() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let call = COUNT.fetch_add(1, Ordering::Relaxed);
    RandomState::new().hash_one((std::process::id(), call))
}
