//! An open journal: what earlier runs have noted, and what this one notes.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use generated_client::Error;
use generated_client::paging::Position;

use super::earlier::{Earlier, Wanted};
use super::error::JournalError;
use super::failure::{is_refused_for_good, is_settled};
use super::line::{Body, Line, Run};
use super::storage::{Place, Storage, text};
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::ledger::Ledger;

/// An open journal. [`call`](Self::call) makes a call with all of its notes; a program that reads pages or writes records one by one notes
/// each step itself.
///
/// A call is identified by its input, such as a domain. All methods can be called from several tasks at a time.
///
/// | moment | note |
/// |---|---|
/// | before each call | [`paid`](Self::paid), then [`began`](Self::began) |
/// | after a call, before its records are kept | [`paid`](Self::paid), and [`brought`](Self::brought) if the journal is to keep the response |
/// | after a record is kept | [`within`](Self::within), or [`at`](Self::at) for the last record of a page |
/// | after all is kept | [`done`](Self::done), or [`enough`](Self::enough) |
/// | after a failure | [`failed`](Self::failed) |
pub struct Journal {
    path: String,
    run: Run,
    state: Mutex<State>,
    pub(super) ledger: OnceLock<Ledger>,
    pub(super) is_again: bool,
}

struct State {
    storage: Storage,
    earlier: Earlier,
    /// Why a line could not be written. Lines after half a line could not be read.
    broken: Option<String>,
}

/// State of an input before it is called.
pub(super) enum Before {
    /// It has all that is wanted, or was refused for good.
    Done,
    /// A paid response that nothing has kept.
    Brought(Vec<u8>),
    /// A call may have been billed.
    AtRisk,
    /// The call is noted, and is to be made now.
    Begun,
}

impl Journal {
    /// Opens the journal of a run, and locks it. A call that began and did not end is at risk from now on. Nothing of a new run is written
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
        let journal = Self::new(path, run, storage, earlier);
        journal.reserve_pending()?;
        Ok(journal)
    }

    /// Returns a journal in memory, for a run that is never resumed, and for tests.
    pub fn in_memory(run: impl Into<Run>) -> Self {
        let path = "the journal in memory".to_owned();
        Self::new(path, run.into(), Storage::memory(), Earlier::default())
    }

    fn new(path: String, run: Run, storage: Storage, earlier: Earlier) -> Self {
        let state = State {
            storage,
            earlier,
            broken: None,
        };
        Self {
            path,
            run,
            state: Mutex::new(state),
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

    /// Decides whether [`call`](Self::call) also makes calls that may have been billed in an earlier run. Their credits stay at risk.
    #[must_use]
    pub fn again(self, is_again: bool) -> Self {
        Self { is_again, ..self }
    }

    /// Returns the ledger of all runs together: what earlier ones have cost is spent, and what they had in flight is at risk. Each call
    /// returns the same ledger, with the limit of the first.
    #[must_use = "pass it to the builder of the client"]
    pub fn ledger(&self, limit: Credits) -> Ledger {
        let resume = || Ledger::resume(limit, &self.usage());
        self.ledger.get_or_init(resume).clone()
    }

    /// Returns the recorded cost of all runs.
    pub fn usage(&self) -> Usage {
        self.of_earlier(Earlier::usage)
    }

    /// Passes the record of earlier runs to `ask`, and returns its result.
    pub fn of_earlier<T>(&self, ask: impl FnOnce(&Earlier) -> T) -> T {
        ask(&self.state().earlier)
    }

    /// Notes which run the journal is of, if it is a new one.
    ///
    /// # Errors
    ///
    /// The journal cannot be written; no later note can be. The same for all other notes.
    pub fn begin(&self) -> Result<(), JournalError> {
        self.note(&mut self.state(), &[])
    }

    /// Notes what all runs have cost together.
    pub fn paid(&self, usage: Usage) -> Result<(), JournalError> {
        let mut state = self.state();
        match usage == state.earlier.usage() {
            true => Ok(()),
            false => self.note(&mut state, &[Line::Usage(usage)]),
        }
    }

    /// Notes that a call is made that costs this much at most; `None` if its price is unknown. A free call needs no line.
    pub fn began(&self, input: &str, at_most: Option<Credits>) -> Result<(), JournalError> {
        self.began_in(&mut self.state(), input, at_most)
    }

    fn began_in(
        &self,
        state: &mut State,
        input: &str,
        at_most: Option<Credits>,
    ) -> Result<(), JournalError> {
        let input = input.to_owned();
        match at_most {
            Some(Credits::ZERO) => Ok(()),
            at_most => self.note(state, &[Line::Began { input, at_most }]),
        }
    }

    /// Notes that a call was not billed, or that [`paid`](Self::paid) has what it cost.
    pub fn settled(&self, input: &str) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::Settled { input })
    }

    /// Notes that a call was or may have been billed, and that nothing of it is kept.
    pub fn unsure(&self, input: &str) -> Result<(), JournalError> {
        let input = input.to_owned();
        self.write(Line::Unsure { input })
    }

    /// Keeps the body of a paid response, together with what all runs have cost. [`response`](Self::response) returns it, also to a later run.
    pub fn brought(&self, input: &str, body: &[u8], usage: Usage) -> Result<(), JournalError> {
        let brought = Line::Brought {
            input: input.to_owned(),
            body: Body::from(body),
        };
        self.note(&mut self.state(), &[Line::Usage(usage), brought])
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
        match self.of_earlier(|earlier| earlier.is_at_end(input)) {
            true => Ok(()),
            false => self.write(Line::Done {
                input: input.to_owned(),
            }),
        }
    }

    /// Notes a failure that says nothing of the input alone: a later run makes the call again, or on demand if it may have been billed.
    pub fn failed_once(&self, input: &str, error: &Error) -> Result<(), JournalError> {
        match is_settled(error) {
            true => self.settled(input),
            false => self.unsure(input),
        }
    }

    /// Notes a failure. An input that the service refuses for good is not called again.
    pub fn failed(&self, input: &str, error: &Error) -> Result<(), JournalError> {
        match is_refused_for_good(error) {
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
        self.response_in(&mut self.state(), input)
    }

    fn response_in(&self, state: &mut State, input: &str) -> Result<Option<Vec<u8>>, JournalError> {
        let Some(place) = state.earlier.brought(input) else {
            return Ok(None);
        };
        let line = state.storage.line(place);
        let line = line.and_then(|line| Ok(serde_json::from_slice(&line)?));
        match line {
            Ok(Line::Brought { body, .. }) => Ok(Some(body.into_bytes())),
            Ok(_) => Ok(None),
            Err(source) => Err(JournalError::File {
                path: self.path.clone(),
                source,
            }),
        }
    }

    /// Returns the inputs whose paid responses the journal has, in their order.
    pub fn responses(&self) -> Vec<String> {
        self.of_earlier(|earlier| earlier.all_brought().map(str::to_owned).collect())
    }

    /// Notes that a call is made, unless it should not be.
    pub(super) fn before(
        &self,
        input: &str,
        at_most: Option<Credits>,
        usage: Usage,
    ) -> Result<Before, JournalError> {
        let mut state = self.state();
        if state.earlier.is_done(input, Wanted::Page) {
            return Ok(Before::Done);
        }
        if let Some(body) = self.response_in(&mut state, input)? {
            return Ok(Before::Brought(body));
        }
        if state.earlier.is_unsure(input) && !self.is_again {
            return Ok(Before::AtRisk);
        }
        self.begun_in(&mut state, input, at_most, usage)
    }

    /// Notes that a call is made.
    pub(super) fn begun(
        &self,
        input: &str,
        at_most: Option<Credits>,
        usage: Usage,
    ) -> Result<Before, JournalError> {
        self.begun_in(&mut self.state(), input, at_most, usage)
    }

    fn begun_in(
        &self,
        state: &mut State,
        input: &str,
        at_most: Option<Credits>,
        usage: Usage,
    ) -> Result<Before, JournalError> {
        if usage != state.earlier.usage() {
            self.note(state, &[Line::Usage(usage)])?;
        }
        self.began_in(state, input, at_most)?;
        Ok(Before::Begun)
    }

    /// Counts what began and did not end as reserved, and notes that it may have been billed.
    fn reserve_pending(&self) -> Result<(), JournalError> {
        let (mut usage, reserved, pending) =
            self.of_earlier(|earlier| (earlier.usage(), earlier.reserved(), earlier.pending()));
        usage.reserved = reserved;
        self.paid(usage)?;
        pending.iter().try_for_each(|input| self.unsure(input))
    }

    /// Locks the state, even if it is poisoned: a thread that panics leaves only whole lines behind.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, line: Line) -> Result<(), JournalError> {
        self.note(&mut self.state(), &[line])
    }

    /// Appends lines in one step, behind the one that says which run the journal is of.
    fn note(&self, state: &mut State, lines: &[Line]) -> Result<(), JournalError> {
        let first = (!state.earlier.goes_on).then(|| Line::Run(self.run.clone()));
        let lines: Vec<&Line> = first.iter().chain(lines).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        let mut places = Vec::new();
        for line in &lines {
            let line = serde_json::to_string(line).unwrap_or_default();
            places.push((text.len(), line.len()));
            text.push_str(&line);
            text.push('\n');
        }
        let written = match state.broken.take() {
            None => {
                let written = state.storage.append(text.as_bytes());
                written.map_err(|error| error.to_string())
            }
            Some(error) => Err(error),
        };
        let at = written.map_err(|problem| {
            state.broken = Some(problem.clone());
            JournalError::Unwritable {
                path: self.path.clone(),
                problem,
            }
        })?;
        for (line, (offset, length)) in lines.into_iter().zip(places) {
            let start = at.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX));
            state.earlier.apply(line, Place { start, length });
        }
        Ok(())
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let journal = &mut f.debug_struct("Journal");
        journal.field("path", &self.path).field("run", &self.run);
        journal.finish_non_exhaustive()
    }
}
