//! Thresholds of an account: one of the processes that watch it is told.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::sleep;

use super::error::StoreError;
use super::id::ReservationId;
use super::shared::{Levels, Look};
use super::store::Step;
use crate::money::ledger::Threshold;

/// How often a process asks the store.
const LOOKED: Duration = Duration::from_secs(1);

/// One threshold of one scope.
pub(super) struct Watch {
    levels: Levels,
    percent: u8,
    tell: Box<dyn Fn(Threshold) + Send + Sync>,
    /// The id of the next request to the store. It stays the same while replies are lost.
    id: Mutex<ReservationId>,
}

impl Watch {
    pub(super) fn new(
        levels: Levels,
        percent: u8,
        tell: impl Fn(Threshold) + Send + Sync + 'static,
    ) -> Self {
        Self {
            levels,
            percent,
            tell: Box::new(tell),
            id: Mutex::new(ReservationId::unused()),
        }
    }

    /// Looks from time to time as long as there is a clone of the account.
    pub(super) fn keep(self, account: Weak<()>) {
        let watch = Arc::new(self);
        let shared = Arc::clone(&watch.levels.shared);
        let weak = Arc::downgrade(&watch);
        shared.watch(weak);
        shared.background.runtime().spawn(async move {
            while account.strong_count() > 0 {
                // Where it fails, the next look asks again.
                _ = watch.look().await;
                sleep(LOOKED).await;
            }
        });
    }
}

impl Look for Watch {
    fn look(&self) -> Step<'_, ()> {
        Box::pin(async {
            let mut id = self.id.lock().await;
            let (shared, scopes) = (&self.levels.shared, self.levels.scopes());
            let (store, name) = (&shared.store, &shared.name);
            let scope = scopes.first().ok_or_else(StoreError::gone)?;
            if store.threshold(name, scope, self.percent, &id).await? {
                let usage = store.usage(name, scope).await?.usage;
                *id = ReservationId::unused();
                let percent = self.percent;
                (self.tell)(Threshold { percent, usage });
            }
            Ok(())
        })
    }
}
