//! An open journal: what earlier runs have noted, and what this one notes.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use generated_client::Error;
use generated_client::paging::Position;
use generated_client::request::StoredKey;

use super::book::EntryId;
use super::earlier::Earlier;
use super::error::JournalError;
use super::failure::{is_refused_for_good, is_settled, lost_call};
use super::line::{Body, KeptKey, Line, LostCall, Run};
use super::notes::{Notes, State};
use super::storage::{Storage, text};
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::ledger::Ledger;
use crate::money::reconciliation::BookEntry;

/// An open journal. [`call`](Self::call) makes a call with all of its notes; a program that reads pages or writes records one by one notes
/// each step itself.
///
/// A call is identified by its input, such as a domain. All methods can be called from several tasks at a time.
///
/// | moment | note |
/// |---|---|
/// | before each call | [`paid`](Self::paid), then [`began`](Self::began), or [`began_with_key`](Self::began_with_key) |
/// | after a call that began with a key, before any other note | [`ended_with_key`](Self::ended_with_key) |
/// | after a call, before its records are kept | [`paid`](Self::paid), and [`brought`](Self::brought) if the journal is to keep the response |
/// | after a record is kept | [`within`](Self::within), or [`at`](Self::at) for the last record of a page |
/// | after all is kept | [`done`](Self::done), or [`enough`](Self::enough) |
/// | after a failure | [`failed`](Self::failed) |
pub struct Journal {
    pub(super) notes: Arc<Notes>,
    pub(super) ledger: OnceLock<Ledger>,
    pub(super) is_again: bool,
}

/// State of an input before it is called.
pub(super) enum Before {
    /// It has all that is wanted, or was refused for good.
    Done,
    /// A paid response that nothing has kept.
    Brought(Vec<u8>),
    /// A call may have been billed.
    AtRisk,
    /// The call is noted, and is to be made now, with this key if the operation has one.
    Begun(Option<StoredKey>),
}

impl Journal {
    /// Opens the journal of a run, and locks it. A call that began and did not end is at risk from now on. Nothing of a new run is written
    /// before its first note.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is open in another run, is the journal of another run, or is not a journal. It is not changed then.
    pub fn open(path: impl AsRef<Path>, run: impl Into<Run>) -> Result<Self, JournalError> {
        Self::locked(path.as_ref(), Some(run.into()))
    }

    /// Opens the journal of whatever run, to [compare it with a statement](Self::entries). It must exist.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    pub fn reopen(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        Self::locked(path.as_ref(), None)
    }

    fn locked(file: &Path, run: Option<Run>) -> Result<Self, JournalError> {
        let path = file.display().to_string();
        let failed = |source: io::Error| JournalError::File {
            path: path.clone(),
            source,
        };
        let Some(mut storage) = Storage::open(file, run.is_some()).map_err(failed)? else {
            return Err(JournalError::Locked { path });
        };
        let text = storage.text().map_err(failed)?;
        let run = match run {
            Some(run) => run,
            None => Run::of(&text).ok_or_else(|| JournalError::NotAJournal {
                path: path.clone(),
                line: 1,
                problem: "it does not name its run".to_owned(),
            })?,
        };
        let (earlier, whole) = Earlier::read(&path, &text, &run)?;
        // A truncated line is removed only now: the file is known to be a journal of this run.
        storage.cut(whole).map_err(failed)?;
        let journal = Self::new(path, run, storage, earlier);
        journal.reserve_pending()?;
        journal.notes.state().earlier.lost_calls.is_over = true;
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
            ledger: OnceLock::new(),
            is_again: false,
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
    /// returns the same ledger, with the limit of the first. The journal notes each attempt that draws on it and was or may have been
    /// charged.
    #[must_use = "pass it to the builder of the client"]
    pub fn ledger(&self, limit: impl Into<Option<Credits>>) -> Ledger {
        let resume = || {
            let ledger = Ledger::resume(limit, &self.usage());
            self.notes.name_earlier(&ledger);
            let notes = Arc::downgrade(&self.notes);
            ledger.record_to(move |entry| {
                if let Some(notes) = notes.upgrade() {
                    notes.record(entry);
                }
            });
            ledger
        };
        self.ledger.get_or_init(resume).clone()
    }

    /// Returns all attempts that the ledger of the journal has seen, in their order, and the calls in which earlier runs broke off: the books
    /// to compare with a [statement](crate::money::reconciliation).
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn entries(&self) -> Result<Vec<BookEntry<EntryId>>, JournalError> {
        Ok(self.notes.book()?.into_entries())
    }

    /// Settles an entry that is at risk, by what a statement of the provider says: it was charged this much, or nothing. An input whose call
    /// was free can be called again. `false`: no such entry is at risk, or the journal has given out its [ledger](Self::ledger), which settles
    /// what it has at risk.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn settle(&self, id: &EntryId, charged: Credits) -> Result<bool, JournalError> {
        let book = self.notes.book()?;
        let lines = book.settled(id, charged, self.usage());
        let Some(lines) = lines.filter(|_| self.ledger.get().is_none()) else {
            return Ok(false);
        };
        self.notes.note(&mut self.notes.state(), &lines)?;
        Ok(true)
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

    /// Notes what all runs have cost together.
    pub fn paid(&self, usage: Usage) -> Result<(), JournalError> {
        let mut state = self.notes.state();
        match usage == state.earlier.usage() {
            true => Ok(()),
            false => self.notes.note(&mut state, &[Line::Usage(usage)]),
        }
    }

    /// Notes that a call is made that costs this much at most; `None` if its price is unknown. A free call needs no line.
    pub fn began(&self, input: &str, at_most: Option<Credits>) -> Result<(), JournalError> {
        self.began_in(&mut self.notes.state(), input, at_most, None)
    }

    pub(super) fn began_in(
        &self,
        state: &mut State,
        input: &str,
        at_most: Option<Credits>,
        key: Option<KeptKey>,
    ) -> Result<(), JournalError> {
        let began = Line::Began {
            input: input.to_owned(),
            at_most,
            key,
        };
        match at_most {
            Some(Credits::ZERO) => Ok(()),
            _ => self.notes.note(state, &[began]),
        }
    }

    /// Notes that a call was not billed, or that [`paid`](Self::paid) has what it cost.
    pub fn settled(&self, input: &str) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::Settled { input })
    }

    /// Notes that a call was or may have been billed, and that nothing of it is kept.
    pub fn unsure(&self, input: &str) -> Result<(), JournalError> {
        self.unsure_of(input, LostCall::default())
    }

    pub(super) fn unsure_of(&self, input: &str, call: LostCall) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::Unsure { input, call })
    }

    /// Keeps the body of a paid response, together with what all runs have cost. [`response`](Self::response) returns it, also to a later run.
    pub fn brought(&self, input: &str, body: &[u8], usage: Usage) -> Result<(), JournalError> {
        let brought = Line::Brought {
            input: input.to_owned(),
            body: Body::from(body),
        };
        self.notes
            .note(&mut self.notes.state(), &[Line::Usage(usage), brought])
    }

    /// Notes that a record is kept, and others of its page are not. The rest of a free page can be asked for again.
    pub fn within(&self, input: &str, position: Position) -> Result<(), JournalError> {
        if !self.of_earlier(|earlier| earlier.is_unsure(input)) {
            return self.at(input, position);
        }
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
        match is_noted {
            true => Ok(()),
            false => self.write(Line::Done {
                input: input.to_owned(),
            }),
        }
    }

    /// Notes a failure that says nothing of the input alone: a later run makes the call again; if it may have been billed, with its
    /// key, or on demand.
    pub fn failed_once(&self, input: &str, error: &Error) -> Result<(), JournalError> {
        match is_settled(error) {
            true => self.settled(input),
            false => {
                let mut call = lost_call(error);
                let key = call.idempotency_key.as_deref();
                call.at_risk = key.and_then(|key| self.ledger.get()?.at_risk_of(key));
                self.unsure_of(input, call)
            }
        }
    }

    /// Notes a failure. An input that the service refuses for good is not called again, unless the refusal may be about a lost call with the same
    /// idempotency key.
    pub fn failed(&self, input: &str, error: &Error) -> Result<(), JournalError> {
        let has_lost_key = self.of_earlier(|earlier| earlier.has_lost_key(input));
        match is_refused_for_good(error) && !has_lost_key {
            true => self.write(Line::Refused {
                input: input.to_owned(),
                why: error.to_string(),
            }),
            false => self.failed_once(input, error),
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

    /// Counts what began and did not end as reserved, and notes that it may have been billed.
    fn reserve_pending(&self) -> Result<(), JournalError> {
        let (mut usage, reserved, pending) =
            self.of_earlier(|earlier| (earlier.usage(), earlier.reserved(), earlier.pending()));
        usage.reserved = reserved;
        self.paid(usage)?;
        let lost = pending.into_iter();
        let lost: Vec<Line> = lost
            .map(|(input, at_risk)| Line::Lost { input, at_risk })
            .collect();
        match lost.is_empty() {
            true => Ok(()),
            false => self.notes.note(&mut self.notes.state(), &lost),
        }
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
