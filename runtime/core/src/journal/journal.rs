//! An open journal: what earlier runs have noted, and what this one notes.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::client::client::Client;
use crate::paging::Position;

use super::begun::Begun;
use super::earlier::Earlier;
use super::error::JournalError;
use super::input::{Input, Wanted};
use super::line::{Line, Run};
use super::notes::Notes;
use super::storage::Storage;
use crate::meter::methods::for_input;
use crate::money::Usage;
use crate::money::budget::Budget;
use crate::money::credits::Credits;
use crate::money::metered_budget::MeteredBudget;
use crate::money::period::Period;

/// An open journal. [`call`](Self::call) makes a call with all of its notes. The budget notes each attempt before it is sent, and how it ended.
///
/// A call is identified by its input, such as a domain. A website that is a parameter of the call has one name, in whatever spelling it is given: that
/// of [`website`](crate::values::website). All methods can be called from several tasks at a time.
pub struct Journal {
    pub(super) notes: Arc<Notes>,
}

impl Journal {
    /// Opens the journal of a run, and locks it. What an earlier run had in flight is at risk from now on. Nothing of a new run is written
    /// before its first note.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is open in another run, is the journal of another run, or is not a journal. It is not changed then.
    pub fn open(path: impl AsRef<Path>, run: impl Into<Run>) -> Result<Self, JournalError> {
        let name = path.as_ref().display().to_string();
        match Storage::open(path.as_ref()) {
            Ok(Some(storage)) => Self::read(name, run.into(), storage),
            Ok(None) => Err(JournalError::Locked { path: name }),
            Err(source) => Err(JournalError::File { path: name, source }),
        }
    }

    /// Opens the journal of the current period: the file has the name of the period behind that of `path`, such as `nightly.journal.2026-11`. The
    /// [budget](Self::budget) of each period starts at zero. A call counts in the period in which its journal was opened.
    ///
    /// ```no_run
    /// use generated_client::Credits;
    /// use generated_client::journal::{Journal, JournalError};
    /// use generated_client::money::{Period, Window};
    ///
    /// const WEEK: u64 = 7 * 24 * 60 * 60 * 1000;
    ///
    /// # fn weekly() -> Result<(), JournalError> {
    /// let weekly = Period::new(|now| {
    ///     let week = now / WEEK;
    ///     Window { name: week.to_string(), from: week * WEEK, until: (week + 1) * WEEK }
    /// });
    /// let journal = Journal::open_period("nightly.journal", "nightly", &weekly)?;
    /// let budget = journal.budget(Credits::new(50));
    /// # _ = budget;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_period(
        path: impl AsRef<Path>,
        run: impl Into<Run>,
        period: &Period,
    ) -> Result<Self, JournalError> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = since.unwrap_or_default().as_millis();
        let window = period.window(u64::try_from(now).unwrap_or(u64::MAX));
        let mut path = path.as_ref().as_os_str().to_owned();
        path.push(format!(".{}", window.name));
        Self::open(path, run)
    }

    /// Reads the journal of a run, and notes in memory from then on. The file is left unchanged, and may be open in another run. A missing file is
    /// an empty journal.
    #[doc(hidden)]
    pub fn look(path: impl AsRef<Path>, run: impl Into<Run>) -> Result<Self, JournalError> {
        let name = path.as_ref().display().to_string();
        match Storage::copy(path.as_ref()) {
            Ok(storage) => Self::read(name, run.into(), storage),
            Err(source) => Err(JournalError::File { path: name, source }),
        }
    }

    /// Returns a journal in memory, for a run that is never resumed, and for tests.
    pub fn in_memory(run: impl Into<Run>) -> Self {
        let path = "the journal in memory".to_owned();
        let storage = Storage::Memory(Vec::new());
        Self {
            notes: Arc::new(Notes::new(path, run.into(), storage, Earlier::default())),
        }
    }

    fn read(path: String, run: Run, mut storage: Storage) -> Result<Self, JournalError> {
        let failed = |source| JournalError::File {
            path: path.clone(),
            source,
        };
        let text = storage.text().map_err(failed)?;
        let (earlier, whole) = Earlier::read(&path, &text, &run)?;
        // A truncated line is removed only now: the file is known to be a journal of this run.
        storage.cut(whole).map_err(failed)?;
        let is_interrupted = earlier.has_in_flight();
        let notes = Arc::new(Notes::new(path, run, storage, earlier));
        if is_interrupted {
            notes.write(Line::Interrupted {})?;
        }
        Ok(Self { notes })
    }

    /// Decides whether [`call`](Self::call) also makes calls that may have been billed before. The credits of those stay at risk, unless a call is
    /// made again with its idempotency key, which needs no decision.
    #[must_use]
    pub fn again(self, is_again: bool) -> Self {
        self.notes.state().is_again = is_again;
        self
    }

    /// Returns the budget of all runs together: what earlier ones have cost is spent, and what they had in flight is at risk. Each call
    /// returns the same budget, with the limit of the first. The journal notes each attempt that draws on it, until it is closed: then nothing
    /// is sent any more.
    #[must_use = "pass it to the builder of the client"]
    pub fn budget(&self, limit: impl Into<Option<Credits>>) -> Budget {
        self.notes.budget(limit.into())
    }

    /// Settles by hand what the calls of an input have at risk: they were charged this much together, or nothing. The charge counts against the
    /// budget. Its data is still missing: the input is called again only on [demand](Self::again). `false`: nothing of the input is at risk.
    ///
    /// # Errors
    ///
    /// The journal cannot be written.
    pub fn settle(&self, input: &str, charged: Credits) -> Result<bool, JournalError> {
        let mut state = self.notes.state();
        let attempts = state.earlier.lost_attempts(input);
        if attempts.is_empty() {
            return Ok(false);
        }
        let Some(budget) = state.budget.clone() else {
            let credits = charged;
            let settled = Line::Settled { attempts, credits };
            self.notes.note(&mut state, &[settled])?;
            return Ok(true);
        };
        let mut own = state.calls_at_risk(&attempts);
        drop(state);
        // It lists no more than the newest ones.
        own.retain(|id| budget.has_at_risk(*id));
        let is_settled = budget.settle_lost(&own, Some(charged), false);
        self.notes.check()?;
        Ok(is_settled)
    }

    /// Returns the inputs that have something at risk, with the amount of each.
    pub fn at_risk(&self) -> Vec<(String, Credits)> {
        let mut amounts: BTreeMap<String, Credits> = BTreeMap::new();
        for call in self.notes.state().earlier.lost() {
            if let Some(input) = call.label.input.as_deref() {
                let sum = amounts.entry(input.to_owned()).or_default();
                *sum += call.amount.unwrap_or_default();
            }
        }
        amounts.into_iter().collect()
    }

    /// Returns the recorded cost of all runs together. It has no limit, and counts in [`Usage::calls`] only calls that cost something.
    pub fn usage(&self) -> Usage {
        self.notes.state().earlier.usage()
    }

    /// Notes which run the journal is of, if it is a new one.
    #[doc(hidden)]
    pub fn start(&self) -> Result<(), JournalError> {
        self.notes.note(&mut self.notes.state(), &[])
    }

    /// Begins the calls of an input.
    ///
    /// # Errors
    ///
    /// The input is being called, or the client does not draw on [the budget of the journal](Self::budget).
    #[doc(hidden)]
    pub fn begin(&self, input: &str, client: &Client) -> Result<Begun, JournalError> {
        let mut state = self.notes.state();
        let budget = state.budget.as_ref();
        let client = if budget.is_some_and(|budget| budget.is_beside(client.budget())) {
            for_input(client, input)
        } else if client.is_metered() {
            return Err(JournalError::NoBudget);
        } else {
            client.clone()
        };
        if !state.calling.insert(input.to_owned()) {
            let input = input.to_owned();
            return Err(JournalError::AtRisk { input });
        }
        Ok(Begun {
            notes: Arc::clone(&self.notes),
            input: input.to_owned(),
            client,
        })
    }

    /// Returns whether an earlier run began it.
    #[doc(hidden)]
    pub fn goes_on(&self) -> bool {
        self.notes.state().earlier.goes_on
    }

    /// Returns whether an input has as much as is wanted, or was refused for good.
    #[doc(hidden)]
    pub fn is_done(&self, input: &str, wanted: Wanted) -> bool {
        self.notes.known(input, |known| known.is_done(wanted))
    }

    /// Returns whether the service has refused an input for good.
    pub(super) fn is_refused(&self, input: &str) -> bool {
        self.notes.known(input, |known| known.is_refused)
    }

    /// Returns whether a call of an input was or may have been billed, returned only a part of a page, or nothing, and has no key with which it can
    /// be called again.
    #[doc(hidden)]
    pub fn is_unsure(&self, input: &str, window: Option<Duration>) -> bool {
        let state = self.notes.state();
        let earlier = &state.earlier;
        earlier.is_unsure(input) && earlier.lost_key(input, window).is_none()
    }

    /// Returns where the pages of an input go on.
    #[doc(hidden)]
    pub fn position(&self, input: &str) -> Option<Position> {
        self.notes.known(input, |known| known.position.clone())
    }

    /// Returns the inputs with calls that were or may have been billed, but returned only a part of a page, or nothing; also those with a call in
    /// flight.
    #[doc(hidden)]
    pub fn unsure(&self) -> Vec<String> {
        self.inputs(Input::is_unsure)
    }

    /// Returns the inputs whose paid responses the journal has, in their order.
    #[doc(hidden)]
    pub fn responses(&self) -> Vec<String> {
        self.inputs(|input| input.brought.is_some())
    }

    fn inputs(&self, is_chosen: impl Fn(&Input) -> bool) -> Vec<String> {
        let state = self.notes.state();
        let inputs = state.earlier.inputs.iter();
        inputs
            .filter(|(_, input)| is_chosen(input))
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// Returns the body of a [paid](Begun::paid) response; `None` if there is none.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or was changed.
    #[doc(hidden)]
    pub fn response(&self, input: &str) -> Result<Option<Vec<u8>>, JournalError> {
        let mut state = self.notes.state();
        let known = state.earlier.inputs.get(input);
        let Some(place) = known.and_then(|known| known.brought) else {
            return Ok(None);
        };
        let line = state.storage.line(place);
        let body = line.and_then(|line| match serde_json::from_slice(&line)? {
            Line::Brought { body, .. } => Ok(body.into_bytes()),
            _ => Ok(None),
        });
        let changed = || io::Error::other("a paid response was changed");
        let body = body.and_then(|body| body.ok_or_else(changed));
        body.map(Some).map_err(|source| JournalError::File {
            path: self.notes.path.clone(),
            source,
        })
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
