//! Accounts within one process.

mod book;
mod by_hand;
mod clock;
mod queue;
mod reserve;
mod settle;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::broadcast;

use self::book::Book;
use self::clock::Clock;
use super::error::StoreError;
use super::id::ReservationId;
use super::scope::Scope;
use super::store::{Ask, Decision, Ending, Forget, LedgerStore, Notice, Opened, Settled, Step};
use super::usage::{AccountRisk, AccountUsage};
use crate::lock::lock;
use crate::money::credits::Credits;

/// Keeps accounts in the memory of one process: for tests, and for clients that share an account within a program.
///
/// Clones are the same store. It follows the same rules as the others, and ends with the process. Leases follow the clock of Tokio, and
/// periods that of the system, or with the feature `test-util` one that a test sets.
#[derive(Clone, Default)]
pub struct InProcess {
    accounts: Arc<Mutex<HashMap<String, Book>>>,
    clock: Clock,
}

impl InProcess {
    /// Creates a store without accounts.
    pub fn new() -> Self {
        Self::default()
    }

    /// A store whose clock shows this time and goes on with that of Tokio, which a test can pause and advance.
    ///
    /// A daily budget that is used up today, and free tomorrow:
    ///
    #[cfg_attr(feature = "periods", doc = "```")]
    #[cfg_attr(not(feature = "periods"), doc = "```ignore")]
    /// use std::time::{Duration, SystemTime};
    ///
    /// use metered_client::account::{Account, InProcess, Period};
    /// use metered_client::prelude::*;
    /// use metered_client::testing::{Reply, Script};
    /// use metered_client::{Client, ClientBuilder, Credits, Method};
    /// # use metered_client::document::{Api, Auth};
    /// # static API: Api = Api {
    /// #     name: "example",
    /// #     version: "1.2.3",
    /// #     environment: "EXAMPLE",
    /// #     base_url: None,
    /// #     auth: Auth::None,
    /// #     interceptor: Some(|| metered_client::meter(Some("cost"), None)),
    /// #     operations: &[],
    /// # };
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// const DAY: Duration = Duration::from_secs(24 * 3600);
    /// let evening = SystemTime::UNIX_EPOCH + 20_000 * DAY + DAY * 9 / 10;
    /// let account = Account::named("daily")
    ///     .limit(Credits::new(3))
    ///     .period(Period::daily(jiff::tz::TimeZone::UTC))
    ///     .open(InProcess::at(evening))
    ///     .await?;
    /// let client: Client = ClientBuilder::new(&API, "https://api.example.com")
    ///     .transport(Script::responding(|_| Reply::new(200, r#"{"cost": 3}"#)))
    ///     .account(account)
    ///     .build()?;
    /// let call = client.raw(Method::GET, "/v1/things").price(Credits::new(3));
    /// call.clone().send_bytes().await?;
    /// assert!(call.clone().send_bytes().await.unwrap_err().budget().is_some());
    /// tokio::time::advance(DAY / 10).await;
    /// call.send_bytes().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "test-util")]
    pub fn at(now: std::time::SystemTime) -> Self {
        Self {
            accounts: Arc::default(),
            clock: Clock::Set(now, tokio::time::Instant::now()),
        }
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<String, Book>> {
        lock(&self.accounts)
    }

    fn with<T>(
        &self,
        account: &str,
        step: impl FnOnce(&mut Book) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut accounts = self.accounts();
        let book = accounts.entry(account.to_owned());
        let book = book.or_insert_with(|| Book::new(self.clock));
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

    fn notices<'a>(&'a self, account: &'a str) -> Step<'a, broadcast::Receiver<Notice>> {
        Box::pin(async move { self.with(account, |book| Ok(book.notices())) })
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcess").finish_non_exhaustive()
    }
}
