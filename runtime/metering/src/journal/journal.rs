//! An open journal: what earlier runs have noted, and what this one notes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use generated_client::internal::{idempotency_window, unused_key};
use generated_client::paging::Position;
use generated_client::request::{Request, StoredKey};
use generated_client::{Client, Error};

use super::earlier::{Earlier, Wanted};
use super::error::JournalError;
use super::failure::{BatchEnd, has_brought, is_refused_for_good};
use super::line::{Body, Line, Run};
use super::notes::{Notes, State};
use super::storage::{Storage, text};
use crate::ext::{MeteredClient, for_input};
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::ledger::Ledger;

/// An open journal. [`call`](Self::call) makes a call with all of its notes; a program that reads pages or writes records one by one notes
/// the results itself. The ledger notes each attempt before it is sent, and how it ended.
///
/// A call is identified by its input, such as a domain. All methods can be called from several tasks at a time.
///
/// | moment | method |
/// |---|---|
/// | before the calls of an input | [`client`](Self::client), and [`key`](Self::key) if it is one call |
/// | after a call, before its records are kept | [`brought`](Self::brought) if the journal is to keep the response |
/// | after a record is kept | [`within`](Self::within), or [`at`](Self::at) for the last record of a page |
/// | after all is kept | [`done`](Self::done), or [`enough`](Self::enough) |
/// | after a call that only asked how far another one is | [`passed`](Self::passed) |
/// | after a failure | [`failed`](Self::failed) |
pub struct Journal {
    pub(super) notes: Arc<Notes>,
    pub(super) is_again: bool,
    pub(super) end: BatchEnd,
}

/// State of an input before it is called.
pub(super) enum Before {
    /// It has all that is wanted.
    Done,
    /// The service has refused it for good.
    Refused,
    /// A paid response that nothing has kept.
    Brought(Vec<u8>),
    /// A call may have been billed, or is in flight.
    AtRisk,
    /// It is called now, with this key if the operation has one.
    Ready(Option<StoredKey>),
}

impl Before {
    /// Returns whether the input is called now, or its response is passed on.
    pub(super) fn is_called(&self) -> bool {
        matches!(self, Self::Brought(_) | Self::Ready(_))
    }
}

impl Journal {
    /// Opens the journal of a run, and locks it. What an earlier run had in flight is at risk from now on. Nothing of a new run is written
    /// before its first note.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is open in another run, is the journal of another run, or is not a journal. It is not changed then.
    pub fn open(path: impl AsRef<Path>, run: impl Into<Run>) -> Result<Self, JournalError> {
        let (file, run) = (path.as_ref(), run.into());
        let path = file.display().to_string();
        let failed = |source: io::Error| JournalError::File {
            path: path.clone(),
            source,
        };
        let Some(mut storage) = Storage::open(file).map_err(failed)? else {
            return Err(JournalError::Locked { path });
        };
        let text = storage.text().map_err(failed)?;
        let (earlier, whole) = Earlier::read(&path, &text, &run)?;
        // A truncated line is removed only now: the file is known to be a journal of this run.
        storage.cut(whole).map_err(failed)?;
        let is_interrupted = earlier.attempts.has_in_flight();
        let journal = Self::new(path, run, storage, earlier);
        if is_interrupted {
            journal.write(Line::Interrupted {})?;
        }
        Ok(journal)
    }

    /// Returns a journal in memory, for a run that is never resumed, and for tests.
    pub fn in_memory(run: impl Into<Run>) -> Self {
        let path = "the journal in memory".to_owned();
        Self::new(path, run.into(), Storage::memory(), Earlier::default())
    }

    fn new(path: String, run: Run, storage: Storage, earlier: Earlier) -> Self {
        Self {
            notes: Arc::new(Notes::new(path, run, storage, earlier)),
            is_again: false,
            end: BatchEnd::default(),
        }
    }

    /// Reads the journal of a run. The file is left unchanged, and may be open in another run. A missing file is an empty journal.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn look(path: impl AsRef<Path>, run: impl Into<Run>) -> Result<Earlier, JournalError> {
        let file = path.as_ref();
        let path = file.display().to_string();
        match fs::read(file).and_then(text) {
            Ok(text) => Ok(Earlier::read(&path, &text, &run.into())?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Earlier::default()),
            Err(source) => Err(JournalError::File { path, source }),
        }
    }

    /// Decides whether [`call`](Self::call) also makes calls that may have been billed before. The credits of those stay at risk, unless a call is
    /// made again with its [key](Earlier::lost_key), which needs no decision.
    #[must_use]
    pub fn again(self, is_again: bool) -> Self {
        Self { is_again, ..self }
    }

    /// Returns the ledger of all runs together: what earlier ones have cost is spent, and what they had in flight is at risk. Each call
    /// returns the same ledger, with the limit of the first. The journal notes each attempt that draws on it, until it is closed: then nothing
    /// is sent any more.
    #[must_use = "pass it to the builder of the client"]
    pub fn ledger(&self, limit: impl Into<Option<Credits>>) -> Ledger {
        self.notes.ledger(limit.into())
    }

    /// Returns a client whose calls are noted as calls for this input. It shares everything else.
    ///
    /// # Errors
    ///
    /// The client does not draw on [the ledger of the journal](Self::ledger).
    pub fn client(&self, input: &str, client: &Client) -> Result<Client, JournalError> {
        let ledger = self.notes.state().ledger.clone();
        if ledger.is_some_and(|ledger| ledger.is_beside(client.ledger())) {
            Ok(for_input(client, input))
        } else if client.is_metered() {
            Err(JournalError::NoLedger)
        } else {
            Ok(client.clone())
        }
    }

    /// Settles by hand what the calls of an input have at risk: they were charged this much together, or nothing. The charge counts against the
    /// budget. Its data is still missing: the input is called again only on [demand](Self::again). `false`: nothing of the input is at risk.
    ///
    /// # Errors
    ///
    /// The journal cannot be written.
    pub fn settle(&self, input: &str, charged: Credits) -> Result<bool, JournalError> {
        let mut state = self.notes.state();
        let attempts = state.earlier.attempts.lost_attempts(input);
        if attempts.is_empty() {
            return Ok(false);
        }
        let Some(ledger) = state.ledger.clone() else {
            let credits = charged;
            let settled = Line::Settled { attempts, credits };
            self.notes.note(&mut state, &[settled])?;
            return Ok(true);
        };
        drop(state);
        let calls = ledger.at_risk().into_iter();
        let own = calls.filter(|call| call.call.input.as_deref() == Some(input));
        let own: Vec<_> = own.map(|call| call.id).collect();
        let is_settled = ledger.settle_all(&own, charged);
        self.notes.check()?;
        Ok(is_settled)
    }

    /// Returns the inputs that have something at risk, with the amount of each.
    pub fn at_risk(&self) -> Vec<(String, Credits)> {
        let lost = self.of_earlier(|earlier| earlier.attempts.lost());
        let mut amounts: BTreeMap<String, u64> = BTreeMap::new();
        for call in lost {
            if let Some(input) = call.label.input.as_deref() {
                let amount = amounts.entry(input.to_owned()).or_default();
                *amount = amount.saturating_add(call.amount.unwrap_or_default().micros());
            }
        }
        let amounts = amounts.into_iter();
        amounts
            .map(|(input, micros)| (input, Credits::from_micros(micros)))
            .collect()
    }

    /// Returns the recorded cost of all runs.
    pub fn usage(&self) -> Usage {
        self.of_earlier(Earlier::usage)
    }

    /// Passes the record of earlier runs to `ask`, and returns its result. `ask` must not use the journal or its ledger: it would wait for itself.
    pub fn of_earlier<T>(&self, ask: impl FnOnce(&Earlier) -> T) -> T {
        ask(&self.notes.state().earlier)
    }

    /// Notes which run the journal is of, if it is a new one.
    ///
    /// # Errors
    ///
    /// The journal cannot be written; no later note can be. The same for all other notes.
    pub fn begin(&self) -> Result<(), JournalError> {
        self.notes.note(&mut self.notes.state(), &[])
    }

    /// Returns the idempotency key for the call of an input: that of a [lost call](Earlier::lost_key), or an unused one; `None` if its operation
    /// has none, or the caller gave one.
    ///
    /// # Errors
    ///
    /// A call of the input may have been billed, and has no such key: only [`again`](Self::again) makes it again.
    pub fn key(&self, input: &str, request: &Request) -> Result<Option<StoredKey>, JournalError> {
        let window = idempotency_window(request);
        match self.ready(&self.notes.state(), input, window) {
            Before::Ready(key) => Ok(key),
            _ => Err(JournalError::AtRisk {
                input: input.to_owned(),
            }),
        }
    }

    /// Returns whether an input can be called, and with which key. `window`: how long the service remembers the key of the call, if it has one.
    pub(super) fn ready(
        &self,
        state: &State,
        input: &str,
        window: Option<Option<Duration>>,
    ) -> Before {
        // With the key of a lost call it is the same work.
        let lost = window.and_then(|window| state.earlier.lost_key(input, window));
        let is_held = state.earlier.is_unsure(input) && !self.is_again && lost.is_none();
        if is_held || state.earlier.attempts.is_in_flight(input) {
            return Before::AtRisk;
        }
        let unused = || StoredKey {
            key: unused_key().into(),
            age: Duration::ZERO,
        };
        Before::Ready(lost.or_else(|| window.map(|_| unused())))
    }

    /// Returns the state of an input, and marks it as being called if it [is](Before::is_called).
    pub(super) fn before(
        &self,
        input: &str,
        window: Option<Option<Duration>>,
    ) -> Result<Before, JournalError> {
        let mut state = self.notes.state();
        if state.earlier.is_refused(input) {
            return Ok(Before::Refused);
        }
        if state.earlier.is_done(input, Wanted::Page) {
            return Ok(Before::Done);
        }
        if state.calling.contains(input) {
            return Ok(Before::AtRisk);
        }
        let before = match self.response_in(&mut state, input)? {
            Some(body) => Before::Brought(body),
            None => self.ready(&state, input, window),
        };
        if before.is_called() {
            state.calling.insert(input.to_owned());
        }
        Ok(before)
    }

    /// Notes that the calls of an input so far have done what they were made for.
    pub fn passed(&self, input: &str) -> Result<(), JournalError> {
        let is_needed = self.of_earlier(|earlier| earlier.is_unsure(input));
        if is_needed {
            let input = input.to_owned();
            return self.write(Line::Passed { input });
        }
        self.notes.check()
    }

    /// Keeps the body of a paid response. [`response`](Self::response) returns it, also to a later run.
    pub fn brought(&self, input: &str, body: &[u8]) -> Result<(), JournalError> {
        let (input, body) = (input.to_owned(), Body::from(body));
        self.write(Line::Brought { input, body })
    }

    /// Notes that a record is kept, and others of its page are not. The rest of a free page can be asked for again.
    pub fn within(&self, input: &str, position: Position) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::Within { input, position })
    }

    /// Notes that all records up to this position are kept, to the end of a page.
    pub fn at(&self, input: &str, position: Position) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::At { input, position })
    }

    /// Notes that one page is kept, or that this many records are. There may be more.
    pub fn enough(&self, input: &str, most: Option<u64>) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::Enough { input, most })
    }

    /// Notes that all there is for an input is kept.
    pub fn done(&self, input: &str) -> Result<(), JournalError> {
        let is_noted =
            self.of_earlier(|earlier| earlier.is_at_end(input) && !earlier.is_unsure(input));
        if is_noted {
            Ok(())
        } else {
            self.write(Line::Done {
                input: input.to_owned(),
            })
        }
    }

    /// Notes a failure that says nothing of the input alone: a later run makes the call again; if it may have been billed, with its
    /// key, or on demand.
    pub fn failed_once(&self, input: &str, error: &Error) -> Result<(), JournalError> {
        if has_brought(error) {
            self.passed(input)
        } else {
            // The ledger has noted the attempts.
            self.notes.check()
        }
    }

    /// Notes a failure. An input that the service refuses for good is not called again, unless the refusal may be about a lost call with the same
    /// idempotency key.
    pub fn failed(&self, input: &str, error: &Error) -> Result<(), JournalError> {
        let is_repeated = self.of_earlier(|earlier| earlier.attempts.is_repeated(input));
        if is_refused_for_good(error) && !is_repeated {
            self.write(Line::Refused {
                input: input.to_owned(),
                why: error.to_string(),
            })
        } else {
            self.failed_once(input, error)
        }
    }

    /// Returns the body of a paid response that was [brought](Self::brought); `None` if there is none.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or was changed.
    pub fn response(&self, input: &str) -> Result<Option<Vec<u8>>, JournalError> {
        self.response_in(&mut self.notes.state(), input)
    }

    pub(super) fn response_in(
        &self,
        state: &mut State,
        input: &str,
    ) -> Result<Option<Vec<u8>>, JournalError> {
        let Some(place) = state.earlier.brought(input) else {
            return Ok(None);
        };
        let line = state.storage.line(place);
        let line = line.and_then(|line| Ok(serde_json::from_slice(&line)?));
        match line {
            Ok(Line::Brought { body, .. }) => Ok(Some(body.into_bytes())),
            Ok(_) => Ok(None),
            Err(source) => Err(JournalError::File {
                path: self.notes.path.clone(),
                source,
            }),
        }
    }

    /// Returns the inputs whose paid responses the journal has, in their order.
    pub fn responses(&self) -> Vec<String> {
        self.of_earlier(|earlier| earlier.all_brought().map(str::to_owned).collect())
    }

    fn write(&self, line: Line) -> Result<(), JournalError> {
        self.notes.note(&mut self.notes.state(), &[line])
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Notes { path, run, .. } = &*self.notes;
        let journal = &mut f.debug_struct("Journal");
        journal.field("path", path).field("run", run);
        journal.finish_non_exhaustive()
    }
}
