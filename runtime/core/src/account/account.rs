//! The handle of an account.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::broadcast::error::RecvError;

use super::error::{FlushError, OpenError, StoreError};
use super::redis::RedisStore;
use super::scope::{Scope, checked};
use super::settings::{Settings, countable};
use super::shared::Shared;
use super::store::Change;
use super::usage::AccountUsage;
use crate::money::budget::{AtRisk, AtRiskId};
use crate::money::credits::Credits;
use crate::money::period::Period;

/// A budget that all processes with the same account draw on together, or a scope of it. Clones are the same account.
///
/// `spent + reserved + at risk` never exceeds the limit by a reservation. Only a charge above its reservation can, and what is spent during an
/// outage with [`Outage::Allow`](super::Outage::Allow).
#[derive(Clone)]
pub struct Account {
    pub(super) shared: Arc<Shared>,
    /// The paths and their periods, from the scope up to the account.
    levels: Arc<[(String, Option<Period>)]>,
}

impl Account {
    pub(super) fn new(
        name: Arc<str>,
        period: Option<Period>,
        settings: Settings,
        store: RedisStore,
        runtime: Handle,
    ) -> Self {
        let shared = Shared::new(name, settings, store, runtime);
        Self {
            shared: Arc::new(shared),
            levels: Arc::new([(String::new(), period)]),
        }
    }

    pub(super) fn path(&self) -> &str {
        self.levels.first().map_or("", |(path, _)| path)
    }

    /// Returns the name of the account, with the path of a scope.
    pub(super) fn shown(&self, path: &str) -> String {
        match path {
            "" => self.shared.name.to_string(),
            path => format!("{}/{path}", self.shared.name),
        }
    }

    /// Returns the scopes at this time, from this one up to the account.
    pub(super) fn scopes(&self) -> Arc<[Scope]> {
        let now = self.shared.now();
        let levels = self.levels.iter();
        let scopes = levels.map(|(path, period)| Scope {
            path: path.clone(),
            window: period.as_ref().map(|period| period.window(now)),
        });
        scopes.collect()
    }

    /// Sets the limit of this scope, or takes the one that it has.
    pub(super) async fn claim(&self, limit: Option<Credits>) -> Result<(), OpenError> {
        let limit = limit.map(countable).transpose()?;
        let Shared { name, store, .. } = &*self.shared;
        let path = self.path();
        let opened = store.open(name, path, limit).await?;
        self.shared.set_clock(opened.now);
        match (opened.limit, limit) {
            (None, _) => Err(OpenError::Absent(self.shown(path))),
            (Some(has), Some(wanted)) if has != wanted => Err(OpenError::OtherLimit {
                name: self.shown(path),
                has,
                wanted,
            }),
            (Some(_), _) => Ok(()),
        }
    }

    /// Receives messages that it is the turn of a request.
    pub(super) async fn listen(&self) -> Result<(), OpenError> {
        let mut turns = self.shared.store.turns(&self.shared.name).await?;
        let shared = Arc::downgrade(&self.shared);
        self.shared.background.runtime().spawn(async move {
            loop {
                let turn = turns.recv().await;
                let Some(shared) = shared.upgrade() else {
                    return;
                };
                match turn {
                    Ok(id) => shared.turn(&id),
                    // Waiting requests ask again without a notice.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
        Ok(())
    }

    /// Opens a scope with a separate limit, such as that of a tenant. Its spending counts in this account too, and must fit both limits.
    ///
    /// All processes that name the same scope share it. Without a limit it takes the one that the scope has.
    ///
    /// # Errors
    ///
    /// As [`AccountBuilder::open`](super::AccountBuilder::open).
    pub async fn scoped(
        &self,
        name: &str,
        limit: impl Into<Option<Credits>>,
        period: impl Into<Option<Period>>,
    ) -> Result<Self, OpenError> {
        let path = match (self.path(), checked(name)?) {
            ("", name) => name.to_owned(),
            (above, name) => format!("{above}/{name}"),
        };
        let levels = self.levels.iter().cloned();
        let scope = Self {
            shared: Arc::clone(&self.shared),
            levels: [(path, period.into())].into_iter().chain(levels).collect(),
        };
        scope.claim(limit.into()).await?;
        Ok(scope)
    }

    fn scope(&self) -> Scope {
        let scopes = self.scopes();
        scopes.first().cloned().unwrap_or(Scope {
            path: String::new(),
            window: None,
        })
    }

    /// Returns the current usage of all processes; in the current period, if it has one.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn usage(&self) -> Result<AccountUsage, StoreError> {
        let Shared { name, store, .. } = &*self.shared;
        store.usage(name, &self.scope()).await
    }

    /// Returns the calls at risk of this scope, in all processes and periods: oldest first, at most 10,000.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn at_risk(&self) -> Result<Vec<AtRisk>, StoreError> {
        let Shared { name, store, .. } = &*self.shared;
        store.at_risk(name, self.path()).await
    }

    /// Settles one call at risk: it was charged this much, or nothing. `false` when it is not at risk.
    ///
    /// If the worker of the call later reports something else, this settlement stays, and the worker logs a conflict.
    ///
    /// # Errors
    ///
    /// When the store fails. It may have been settled.
    pub async fn settle(&self, id: AtRiskId, charged: Credits) -> Result<bool, StoreError> {
        let Shared { name, store, .. } = &*self.shared;
        store.settle_risk(name, &id, charged).await
    }

    /// Raises the limit for all processes, and all later periods.
    ///
    /// # Errors
    ///
    /// When the store fails. The limit may have been raised; [`usage`](Self::usage) shows it.
    pub async fn raise(&self, by: Credits) -> Result<(), StoreError> {
        self.change(Change::Raise(by)).await
    }

    /// Lowers the limit for all processes, and all later periods, at most to zero. Calls in flight go on; calls that wait and no longer fit are refused.
    ///
    /// # Errors
    ///
    /// When the store fails. The limit may have been lowered; [`usage`](Self::usage) shows it.
    pub async fn lower(&self, by: Credits) -> Result<(), StoreError> {
        self.change(Change::Lower(by)).await
    }

    /// Refuses all calls of all processes, also waiting and free ones, until it is [thawed](Self::thaw): their errors have the reason. Calls in flight
    /// go on, and are settled as usual. Scopes of this one are frozen with it.
    ///
    /// # Errors
    ///
    /// When the store fails. It may be frozen.
    pub async fn freeze(&self, reason: &str) -> Result<(), StoreError> {
        self.change(Change::Freeze(reason)).await
    }

    /// Ends a [freeze](Self::freeze).
    ///
    /// # Errors
    ///
    /// When the store fails. It may be thawed.
    pub async fn thaw(&self) -> Result<(), StoreError> {
        self.change(Change::Thaw).await
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StoreError> {
        let Shared { name, store, .. } = &*self.shared;
        store.change(name, &self.scope(), change).await
    }

    /// Waits until the store has all settlements of this process, for the account and all its scopes, but not longer than given. It waits for
    /// each call in flight, also for a detached one whose caller has left.
    ///
    /// A program that ends without it leaves reservations behind, which are at risk when their leases end.
    ///
    /// # Errors
    ///
    /// [`FlushError`] counts what is left: calls in flight, and settlements that have not reached the store. A settlement is repeated for ten
    /// minutes while the store is away; one that was given up is counted once.
    pub async fn flush(&self, within: Duration) -> Result<(), FlushError> {
        let left = self.shared.background.flush(within).await;
        if left == 0 {
            Ok(())
        } else {
            Err(FlushError {
                account: self.shared.name.to_string(),
                within,
                left,
            })
        }
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account")
            .field("name", &self.shared.name)
            .field("path", &self.path())
            .finish_non_exhaustive()
    }
}
