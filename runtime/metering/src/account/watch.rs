//! Thresholds of an account: one of the processes that watch it is told.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::sleep;

use super::account::Account;
use super::error::StoreError;
use super::id::ReservationId;
use super::shared::{Levels, Look};
use super::store::Step;
use crate::money::ledger::Threshold;

/// How often a process asks the store.
const LOOKED: Duration = Duration::from_secs(1);

struct Watch {
    levels: Levels,
    percent: u8,
    tell: Box<dyn Fn(Threshold) + Send + Sync>,
    /// The id of the next request to the store. It stays the same while replies are lost.
    id: Mutex<ReservationId>,
}

impl Account {
    /// Calls this when so many percent of the limit are spent or at risk, by all processes. Of those that watch the same threshold one is
    /// told: once in each period, and again after [`raise`](Self::raise) has made them less.
    ///
    /// Each process that watches asks the store once a second, and when [`flush`](Self::flush) ends. If the one that is told dies in that
    /// moment, no other is told. `tell` must not block, and not panic. It is called until the last clone of this account is dropped.
    ///
    /// ```
    /// use metered_client::account::Account;
    /// use metered_client::money::Threshold;
    ///
    /// fn alert(account: &Account) {
    ///     account.on_threshold(80, |Threshold { percent, usage, .. }| {
    ///         eprintln!("{percent} % of the account are used: {usage:?}");
    ///     });
    /// }
    /// ```
    pub fn on_threshold(&self, percent: u8, tell: impl Fn(Threshold) + Send + Sync + 'static) {
        let watch = Arc::new(Watch {
            levels: self.levels.clone(),
            percent,
            tell: Box::new(tell),
            id: Mutex::new(ReservationId::unused()),
        });
        let weak = Arc::downgrade(&watch);
        self.shared().watch(weak);
        let clones = Arc::downgrade(&self.purses);
        self.shared().background.runtime().spawn(async move {
            while clones.strong_count() > 0 {
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
