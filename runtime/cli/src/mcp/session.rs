//! The state of a server: the client, its budget and the journal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use generated_client::Client;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, RwLockWriteGuard};

use super::kept::{Kept, Memory};
#[cfg(feature = "metered")]
use super::paid;
use crate::money::{self, Journal, JournalError};
use crate::run::lock;
use crate::table::{Command, Program};

pub(super) struct Session {
    pub(super) program: &'static Program,
    pub(super) client: Client,
    #[cfg_attr(
        not(feature = "metered"),
        expect(dead_code, reason = "it notes nothing")
    )]
    pub(super) journal: Journal,
    /// True if the journal is a file, and not in memory.
    #[cfg_attr(not(feature = "metered"), expect(dead_code, reason = "there is none"))]
    pub(super) has_file: bool,
    /// The operations that are tools.
    pub(super) offered: Vec<&'static Command>,
    /// How many bytes a result has at most.
    pub(super) most: usize,
    /// The number of the latest paid call.
    #[cfg(feature = "metered")]
    pub(super) paid: AtomicU64,
    /// The number of the latest free call.
    free: AtomicU64,
    /// Keeps the ids of free results apart from those of an earlier server.
    epoch: u64,
    memory: Mutex<Memory>,
    /// Each call in flight reads it, and the end of the server writes it.
    in_flight: Arc<RwLock<()>>,
}

impl Session {
    pub(super) fn new(
        program: &'static Program,
        client: Client,
        journal: Journal,
        has_file: bool,
        offered: Vec<&'static Command>,
        most: usize,
    ) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            program,
            client,
            has_file,
            offered,
            most,
            #[cfg(feature = "metered")]
            paid: AtomicU64::new(paid::latest(&journal)),
            free: AtomicU64::new(0),
            epoch: now.map_or(0, |since| since.as_secs()),
            memory: Mutex::default(),
            in_flight: Arc::default(),
            journal,
        }
    }

    /// Returns the operation of a tool.
    pub(super) fn operation(&self, name: &str) -> Option<&'static Command> {
        self.offered.iter().copied().find(|one| one.name == name)
    }

    /// Returns the name of one of the server's tools. An operation that has the name keeps it.
    pub(super) fn own_name(&self, name: &'static str) -> String {
        match self.operation(name) {
            Some(_) => format!("{name}-of-calls"),
            None => name.to_owned(),
        }
    }

    pub(super) fn is_metered(&self) -> bool {
        self.program.is_metered()
    }

    /// Begins a call, which is in flight until the guard is dropped; `None` once the server stops.
    pub(super) fn begin(&self) -> Option<OwnedRwLockReadGuard<()>> {
        Arc::clone(&self.in_flight).try_read_owned().ok()
    }

    /// Waits until no call is in flight. None begins from now on, as long as the guard is kept.
    pub(super) async fn ended(&self) -> RwLockWriteGuard<'_, ()> {
        self.in_flight.write().await
    }

    /// Remembers a free result, and returns its id.
    pub(super) fn remember(&self, kept: Arc<Kept>) -> String {
        let number = self.free.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let id = format!("free-{:x}-{number}", self.epoch);
        lock(&self.memory).add(id.clone(), kept);
        id
    }

    /// Returns a result, by its id.
    pub(super) fn kept(&self, id: &str) -> Result<Option<Arc<Kept>>, JournalError> {
        if let Some(kept) = lock(&self.memory).get(id) {
            return Ok(Some(kept));
        }
        #[cfg(feature = "metered")]
        let kept = paid::kept_by_journal(self, id);
        #[cfg(not(feature = "metered"))]
        let kept = Ok(None);
        kept
    }

    /// Describes the remaining budget for people; `None` without a budget.
    pub(super) fn left(&self) -> Option<String> {
        money::left(&self.client)
    }
}
