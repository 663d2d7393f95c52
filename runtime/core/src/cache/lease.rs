//! The lease of this process on a call, among those that share a store. No clock is compared: a lease is dead if it was not renewed for a while, by
//! the time of the one that looks.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::error::CacheError;
use super::store::{FAILED, Lease, Leases};

/// How long other processes wait for one that does not renew its lease: it died.
const DEAD: Duration = Duration::from_secs(10);
/// How often a lease is renewed.
const RENEWED: Duration = Duration::from_secs(3);

/// A lease that this process holds. It is renewed until it is dropped.
pub(super) struct Held {
    place: Arc<Place>,
    renewal: JoinHandle<()>,
}

/// Where a lease is.
struct Place {
    store: Arc<dyn Leases>,
    key: Arc<str>,
    /// The lease; `None` once it has ended.
    lease: Mutex<Option<Lease>>,
}

/// The wait for a lease.
pub(super) struct Waiting {
    store: Arc<dyn Leases>,
    key: Arc<str>,
    own: Lease,
    /// The lease of another process, and since when it was not renewed.
    seen: Option<(Lease, Instant)>,
    /// True if an equal call was waited for, here or before.
    pub(super) has_waited: bool,
}

/// Result of a look at a lease.
pub(super) enum Look {
    Own(Held),
    /// Another process makes the call.
    Other,
    /// Another process has made the call while this one waited. It may have had its effect, and has no response.
    Failed,
}

impl Waiting {
    pub(super) fn new(store: &Arc<dyn Leases>, key: &Arc<str>, has_waited: bool) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let call = COUNT.fetch_add(1, Ordering::Relaxed);
        let random = RandomState::new().hash_one((std::process::id(), call));
        Self {
            store: Arc::clone(store),
            key: Arc::clone(key),
            own: Lease {
                owner: random.max(FAILED.saturating_add(1)),
                renewals: 0,
            },
            seen: None,
            has_waited,
        }
    }

    /// Takes the lease, if it is free or dead.
    pub(super) async fn look(&mut self) -> Result<Look, CacheError> {
        let dead = self.seen.filter(|(_, since)| since.elapsed() >= DEAD);
        let mut expected = dead.map(|(lease, _)| lease);
        loop {
            let found = self.store.exchange(&self.key, expected, Some(self.own));
            let found = found.await?;
            if found == expected || found == Some(self.own) {
                return Ok(Look::Own(self.hold()?));
            }
            match found {
                Some(mark) if mark.owner == FAILED && self.has_waited => return Ok(Look::Failed),
                Some(lease) if lease.owner != FAILED => {
                    self.has_waited = true;
                    if self.seen.is_none_or(|(before, _)| before != lease) {
                        self.seen = Some((lease, Instant::now()));
                    }
                    return Ok(Look::Other);
                }
                // The dead one has ended, or the mark is that of an earlier call.
                found => expected = found,
            }
        }
    }

    fn hold(&self) -> Result<Held, CacheError> {
        let runtime = Handle::try_current().map_err(CacheError::no_runtime)?;
        let place = Arc::new(Place {
            store: Arc::clone(&self.store),
            key: Arc::clone(&self.key),
            lease: Mutex::new(Some(self.own)),
        });
        Ok(Held {
            renewal: runtime.spawn(renew(Arc::clone(&place))),
            place,
        })
    }
}

impl Held {
    /// Returns whether the lease is still that of this process: if it slept, another one may make the call.
    pub(super) async fn is_held(&self) -> Result<bool, CacheError> {
        self.place.replace(renewed).await
    }

    /// Ends the lease, before the process may end. `has_failed`: the call may have had its effect, and has no response, which those that wait are told.
    pub(super) async fn end(&self, has_failed: bool) {
        // If it fails, others find the lease dead.
        _ = if has_failed {
            self.place.replace(failed).await
        } else {
            self.place.replace(free).await
        };
    }
}

/// Ends the lease of a call that was cancelled, soon. Without a runtime, others find it dead.
impl Drop for Held {
    fn drop(&mut self) {
        self.renewal.abort();
        if let Ok(runtime) = Handle::try_current() {
            let place = Arc::clone(&self.place);
            runtime.spawn(async move { _ = place.replace(free).await });
        }
    }
}

impl Place {
    /// Replaces the lease, and returns whether this process still had it.
    async fn replace(&self, next: fn(Lease) -> Option<Lease>) -> Result<bool, CacheError> {
        let mut lease = self.lease.lock().await;
        while let Some(own) = *lease {
            let next = next(own);
            let found = self.store.exchange(&self.key, Some(own), next).await?;
            if found == Some(own) {
                *lease = next.filter(|next| next.owner == own.owner);
                return Ok(true);
            }
            // The reply to an earlier step may have been lost.
            *lease = found.filter(|found| found.owner == own.owner);
        }
        Ok(false)
    }
}

fn renewed(lease: Lease) -> Option<Lease> {
    let renewals = lease.renewals.saturating_add(1);
    Some(Lease { renewals, ..lease })
}

fn failed(lease: Lease) -> Option<Lease> {
    Some(Lease {
        owner: FAILED,
        renewals: lease.owner,
    })
}

fn free(_: Lease) -> Option<Lease> {
    None
}

async fn renew(place: Arc<Place>) {
    loop {
        sleep(RENEWED).await;
        // If it fails, the next renewal may succeed in time.
        _ = place.replace(renewed).await;
    }
}
