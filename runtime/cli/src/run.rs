//! A run: calls whose records are written as they come.
//!
//! The journal records the cost of a call before its records are written, and a record after it is written. A run that is killed in between
//! may write a record again. It never forgets a payment, and asks before it pays for the rest of a page again.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::de::IgnoredAny;

use crate::arguments::Arguments;
use crate::call::{Source, Turn, Way};
use crate::ended::Ended;
use crate::extent::Extent;
use crate::inputs::Input;
use crate::money::{self, Begun, Journal, JournalError, Wanted};
use crate::notes::{Left, left, note_record};
use crate::output::Output;
use crate::progress::Progress;
use crate::said::said;
use crate::signals::Signals;
use crate::table::Command;
#[cfg(feature = "cache")]
use crate::watch;
use generated_client::Client;
use generated_client::Error;
use generated_client::waiting::Wait;

/// Everything that the calls of a run share.
pub(crate) struct Run {
    pub(crate) command: &'static Command,
    pub(crate) client: Client,
    pub(crate) extent: Extent,
    /// Time for which the service remembers the idempotency keys of the calls; `None` if they have none, or that is unknown.
    pub(crate) window: Option<Duration>,
    /// The inputs of the list; a single one without a name, if there is no list.
    pub(crate) inputs: Vec<Input>,
    pub(crate) output: Mutex<Output>,
    /// In a file, or in memory.
    pub(crate) journal: Journal,
    pub(crate) has_file: bool,
    pub(crate) signals: Signals,
    pub(crate) progress: Progress,
    /// Options that help with the calls that failed, each once.
    pub(crate) ways_out: Mutex<BTreeSet<String>>,
}

/// Why a call brought less than it should.
pub(crate) enum Failure {
    Call {
        error: Box<Error>,
        /// Whether the next call of a list would fail, too.
        noted: Result<bool, JournalError>,
    },
    Ended(Ended),
}

impl From<Ended> for Failure {
    fn from(ended: Ended) -> Self {
        Self::Ended(ended)
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self::Ended(error.into())
    }
}

/// Locks a mutex, even if it is poisoned: a thread that panics leaves only whole lines behind.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run {
    /// Makes a single call.
    pub(crate) async fn single(&self, arguments: &Arguments) -> Result<(), Ended> {
        let left = self.left(self.extent.again);
        if !left.held.is_empty() {
            return Err(Ended::usage(
                "according to the journal, a call of an earlier run may have been billed and returned no record or only part of its page: `--again` repeats it",
            ));
        }
        if left.open.is_empty() {
            self.progress
                .note("The journal says that all of it is done.");
            return Ok(());
        }
        match self.one("", arguments).await {
            Ok(()) => Ok(()),
            Err(Failure::Call { error, noted }) => {
                if let Err(unnoted) = noted {
                    self.progress.say(&self.said(&error));
                    return Err(unnoted.into());
                }
                Err(self.ended_by(&error))
            }
            Err(Failure::Ended(ended)) => Err(ended),
        }
    }

    /// Returns the inputs that need a call. `is_again`: also those that are called on demand only.
    pub(crate) fn left(&self, is_again: bool) -> Left<'_> {
        left(
            &self.journal,
            &self.inputs,
            self.extent,
            self.window,
            is_again,
        )
    }

    /// Describes a failed call.
    pub(crate) fn said(&self, error: &Error) -> String {
        said(error, money::is_metered(&self.client))
    }

    /// Returns the end of a run by a failed call, and notes which options help.
    pub(crate) fn ended_by(&self, error: &Error) -> Ended {
        let settle = match self.inputs.as_slice() {
            [single] if single.name.is_empty() => "--settle CREDITS",
            _ => "--settle INPUT=CREDITS",
        };
        let settle = self.has_file.then_some(settle);
        lock(&self.ways_out).extend(money::ways_out(&self.client, error, settle));
        Ended::of(error, money::is_metered(&self.client))
    }

    /// Writes what follows the last record, and the cost of the run.
    pub(crate) fn end(&self) -> Result<(), Ended> {
        let written = lock(&self.output).end();
        self.progress.end(&self.client);
        Ok(written?)
    }

    /// Makes the call of an input, and notes how much of it is there. A single call has an empty one.
    pub(crate) async fn one(&self, input: &str, arguments: &Arguments) -> Result<(), Failure> {
        let begun = &self.journal.begin(input, &self.client)?;
        let call = (self.command.call)(begun.client(), arguments);
        let call = call.map_err(|refusal| match input {
            // Other inputs of a list may work.
            "" => Ended::Usage(refusal.to_string()),
            _ => Ended::Failed(refusal.to_string()),
        })?;
        let key = begun.key(call.window(self.extent.wait))?;
        #[cfg(feature = "cache")]
        if self.extent.is_watch {
            return watch::watch(self, begun, &call).await;
        }
        match &call.way {
            Way::Pages(turn) => return self.pages(begun, &**turn).await,
            Way::Polls(wait) if self.extent.wait => self.wait(begun, wait()).await?,
            Way::Once | Way::Polls(_) | Way::Submits(_) => {
                let sent = call.send(key.as_ref()).await;
                let response = sent.map_err(|error| self.failed(begun, error))?;
                self.deliver(begun, &response)?;
                // A submission is done, even if its result is not awaited.
                begun.done()?;
                if let Way::Submits(wait) = &call.way
                    && let Some(wait) = wait(&response.raw, &call.client)
                    && self.extent.wait
                {
                    self.wait(begun, wait).await?;
                }
            }
        }
        Ok(begun.done()?)
    }

    async fn wait(&self, begun: &Begun, wait: Wait<IgnoredAny>) -> Result<(), Failure> {
        let mut polls = wait.polls();
        loop {
            if self.signals.is_stopped() {
                let message = "stopped: the awaited operation continues without this program";
                return Err(Ended::Stopped(message.to_owned()).into());
            }
            let is_asking = polls.is_asking();
            let next = tokio::select! {
                // A response takes precedence over a signal.
                biased;
                next = polls.next() => next,
                () = self.signals.stopped_between(&is_asking) => continue,
            };
            let response = match next {
                None => return Ok(()),
                Some(response) => response.map_err(|error| self.failed(begun, error))?,
            };
            // The last response is noted after it is written.
            let noted = if polls.is_over() {
                Ok(())
            } else {
                begun.passed()
            };
            if polls.is_over() || noted.is_err() {
                self.deliver(begun, &response)?;
                return Ok(noted?);
            }
        }
    }

    async fn pages(&self, begun: &Begun, turn: &dyn Turn) -> Result<(), Failure> {
        let position = self.journal.position(begun.input());
        let mut source = turn.start(position.as_ref(), self.extent.wanted)?;
        let mut is_first = true;
        loop {
            // Between two pages: what is here is written before anything else.
            if !source.is_ready() {
                if self.signals.is_stopped() {
                    let message = format!("stopped: {}", source.place());
                    return Err(Ended::Stopped(message).into());
                }
                if !is_first && self.extent.wanted == Wanted::Page {
                    break;
                }
            }
            match source.next().await {
                None => break,
                Some(Ok(record)) => {
                    let delivery = self.record(begun, &record, &*source);
                    if let Err(ended) = delivery.end {
                        let is_out = delivery.is_out && self.rest(begun, &mut *source).await;
                        if is_out && self.extent.wanted == Wanted::Page {
                            // The first failure is reported.
                            _ = self.reached(begun, &*source);
                        }
                        return Err(ended.into());
                    }
                    if begun.input().is_empty() {
                        self.of_pages(&*source, is_first);
                    }
                }
                Some(Err(error @ Error::Record(_))) => {
                    self.progress.say(&self.said(&error));
                    note_record(begun, &*source)?;
                }
                Some(Err(error)) => return Err(self.failed(begun, error)),
            }
            is_first = false;
        }
        Ok(self.reached(begun, &*source)?)
    }

    /// Notes that a list has as many records as are wanted.
    fn reached(&self, begun: &Begun, source: &dyn Source) -> Result<(), JournalError> {
        if source.is_over() {
            begun.done()
        } else {
            begun.enough(self.extent.wanted)
        }
    }

    fn of_pages(&self, source: &dyn Source, is_first: bool) {
        if is_first
            && self.extent.wanted != Wanted::Page
            && let Some(coming) = source.coming()
        {
            let all = coming.saturating_add(1);
            self.progress.expect(u64::try_from(all).unwrap_or(u64::MAX));
        }
        self.progress.one(&self.client);
    }
}
