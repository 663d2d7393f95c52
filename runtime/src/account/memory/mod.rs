//! Accounts within one process.

mod book;
mod by_hand;
mod queue;
mod report;
mod reserve;
mod settle;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

use self::book::Book;
use super::error::StoreError;
use super::id::ReservationId;
use super::scope::Scope;
use super::store::{
    Ask, Decision, Ending, Forget, LedgerStore, Notice, Opened, Report, Reported, Settled, Step,
};
use super::usage::{AccountRisk, AccountUsage};
use crate::money::credits::Credits;

/// Keeps accounts in the memory of one process: for tests, and for clients that share an account within a program.
///
/// Clones are the same store. It follows the same rules as the others, with the clock of Tokio, and ends with the process.
#[derive(Clone, Default)]
pub struct InProcess {
    accounts: Arc<Mutex<HashMap<String, Book>>>,
}

impl InProcess {
    /// A store without accounts.
    pub fn new() -> Self {
        Self::default()
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<String, Book>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        account: &str,
        step: impl FnOnce(&mut Book) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut accounts = self.accounts();
        let book = accounts.entry(account.to_owned()).or_default();
        book.begin();
        step(book)
    }
}

impl LedgerStore for InProcess {
    fn open<'a>(
        &'a self,
        account: &'a str,
        path: &'a str,
        limit: Option<Credits>,
    ) -> Step<'a, Opened> {
        Box::pin(async move { self.with(account, |book| Ok(book.open(path, limit))) })
    }

    fn raise<'a>(&'a self, account: &'a str, scope: &'a Scope, by: Credits) -> Step<'a, ()> {
        Box::pin(async move { self.with(account, |book| book.raise(scope, by)) })
    }

    fn reserve<'a>(&'a self, ask: &'a Ask) -> Step<'a, Decision> {
        Box::pin(async move { self.with(&ask.account, |book| book.reserve(ask)) })
    }

    fn settle<'a>(&'a self, ending: &'a Ending) -> Step<'a, Settled> {
        Box::pin(async move { self.with(&ending.account, |book| Ok(book.settle(ending))) })
    }

    fn report<'a>(&'a self, report: &'a Report) -> Step<'a, Reported> {
        Box::pin(async move { self.with(&report.account, |book| Ok(book.report(report))) })
    }

    fn forget<'a>(&'a self, account: &'a str, what: Forget) -> Step<'a, ()> {
        Box::pin(async move {
            self.with(account, |book| {
                book.forget(what);
                Ok(())
            })
        })
    }

    fn usage<'a>(&'a self, account: &'a str, scope: &'a Scope) -> Step<'a, AccountUsage> {
        Box::pin(async move { self.with(account, |book| book.usage(scope)) })
    }

    fn at_risk<'a>(&'a self, account: &'a str, path: &'a str) -> Step<'a, Vec<AccountRisk>> {
        Box::pin(async move { self.with(account, |book| Ok(book.at_risk(path))) })
    }

    fn settle_risk<'a>(
        &'a self,
        account: &'a str,
        id: &'a ReservationId,
        charged: Credits,
    ) -> Step<'a, bool> {
        Box::pin(async move { self.with(account, |book| Ok(book.settle_risk(id, charged))) })
    }

    fn reconcile<'a>(
        &'a self,
        account: &'a str,
        scopes: &'a [Scope],
        charged: Credits,
    ) -> Step<'a, ()> {
        Box::pin(async move {
            self.with(account, |book| {
                book.reconcile(scopes, charged);
                Ok(())
            })
        })
    }

    fn notices<'a>(&'a self, account: &'a str) -> Step<'a, broadcast::Receiver<Notice>> {
        Box::pin(async move { self.with(account, |book| Ok(book.notices())) })
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcess").finish_non_exhaustive()
    }
}
