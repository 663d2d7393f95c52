//! A run: calls whose records are written as they come.
//!
//! The journal records the cost of a call before its records are written, and a record after it is written. A run that is killed in between
//! may write a record again. It never forgets a payment, and asks before it pays for the rest of a page again.

use metered_client::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde::de::IgnoredAny;

use crate::arguments::Arguments;
use crate::call::{Call, Source, Turn, Way};
use crate::ended::Ended;
use crate::extent::Extent;
use crate::output::Output;
use crate::progress::Progress;
use crate::said::{is_bounded, said, ways_out};
use crate::signals::Signals;
use crate::table::Command;
use crate::visible::visible;
use generated_client::Client;
use generated_client::Error;
use generated_client::waiting::Wait;
use metered_client::journal::{BatchEnd, Journal};

/// Everything that the calls of a run share.
pub(crate) struct Run {
    pub(crate) command: &'static Command,
    pub(crate) client: Client,
    pub(crate) extent: Extent,
    /// Time for which the service remembers the idempotency keys of the calls; `None` if they have none, or that is unknown.
    pub(crate) window: Option<Duration>,
    /// The values of the list; a single empty one without a list.
    pub(crate) inputs: Vec<String>,
    pub(crate) output: Mutex<Output>,
    pub(crate) journal: Option<Journal>,
    pub(crate) batch: BatchEnd,
    pub(crate) signals: Signals,
    pub(crate) progress: Progress,
    /// Options that help with the calls that failed, each once.
    pub(crate) ways_out: Mutex<BTreeSet<String>>,
}

/// Why a call brought less than it should.
pub(crate) enum Failure {
    Call(Box<Error>),
    Ended(Ended),
}

impl From<Ended> for Failure {
    fn from(ended: Ended) -> Self {
        Self::Ended(ended)
    }
}

/// How much a call has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// As much as was requested. There may be more.
    Enough,
    /// All that there is.
    End,
}

/// Locks a mutex, even if it is poisoned: a thread that panics leaves only whole lines behind.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run {
    /// Makes a single call.
    pub(crate) async fn single(&self, arguments: &Arguments) -> Result<(), Ended> {
        if self.is_done("") {
            self.progress
                .note("The journal says that all of it is done.");
            return Ok(());
        }
        if self.is_held("") {
            return Err(Ended::usage(
                "according to the journal, a call of an earlier run may have been billed and returned no record or only part of its page: `--again` repeats it",
            ));
        }
        match self.one(None, arguments).await {
            Ok(reached) => self.reached("", reached),
            Err(Failure::Call(error)) => {
                match self.noted(|journal| journal.failed_once("", &error)) {
                    Ok(()) => Err(self.ended_by(&error)),
                    Err(ended) => {
                        self.progress.say(&self.said(&error));
                        Err(ended)
                    }
                }
            }
            Err(Failure::Ended(ended)) => Err(ended),
        }
    }

    /// Describes a failed call.
    pub(crate) fn said(&self, error: &Error) -> String {
        said(error, self.client.is_metered())
    }

    /// Returns the end of a run by a failed call.
    pub(crate) fn ended_by(&self, error: &Error) -> Ended {
        self.needs(error);
        Ended::of(error, self.client.is_metered())
    }

    /// Notes which options help with a failed call.
    fn needs(&self, error: &Error) {
        if is_bounded(&self.client) {
            let settle = match (&self.journal, self.inputs.as_slice()) {
                (None, _) => None,
                (Some(_), [single]) if single.is_empty() => Some("--settle CREDITS"),
                (Some(_), _) => Some("--settle INPUT=CREDITS"),
            };
            lock(&self.ways_out).extend(ways_out(error, settle));
        }
    }

    /// Writes what follows the last record, and the cost of the run.
    pub(crate) fn end(&self) -> Result<(), Ended> {
        let mut output = lock(&self.output);
        let written = output.end();
        if written.is_err() {
            for record in output.kept() {
                self.rescue(None, record.as_bytes());
            }
        }
        if let Some(hint) = output.hint() {
            self.progress.note(&hint);
        }
        self.progress.end(&self.client.ledger().usage());
        Ok(written?)
    }

    /// Makes the call of some arguments.
    pub(crate) async fn one(
        &self,
        input: Option<&str>,
        arguments: &Arguments,
    ) -> Result<Reached, Failure> {
        let client = self.client_for(input.unwrap_or_default())?;
        let call = (self.command.call)(&client, arguments);
        let call = call.map_err(|refusal| match input {
            // Other inputs of the list may work.
            Some(_) => Ended::Failed(refusal.to_string()),
            None => Ended::Usage(refusal.to_string()),
        })?;
        match &call.way {
            Way::Pages(turn) => return self.pages(input, &**turn).await,
            Way::Once => _ = self.once(input, &call).await?,
            Way::Submits(wait) => {
                let body = self.once(input, &call).await?;
                // A submission is done, even if its result is not awaited.
                self.noted(|journal| journal.done(input.unwrap_or_default()))?;
                if let Some(wait) = wait(&body, &call.client).filter(|_| self.extent.wait) {
                    self.wait(input, wait).await?;
                }
            }
            Way::Polls(wait) if self.extent.wait => self.wait(input, wait()).await?,
            Way::Polls(_) => _ = self.once(input, &call).await?,
        }
        Ok(Reached::End)
    }

    async fn once(&self, input: Option<&str>, call: &Call) -> Result<Bytes, Failure> {
        let key = self.key(input.unwrap_or_default(), call)?;
        let sent = call.send(key.as_ref()).await;
        let response = sent.map_err(|error| self.failed(input, error))?;
        self.deliver(input, &response)?;
        Ok(response.raw)
    }

    async fn wait(&self, input: Option<&str>, wait: Wait<IgnoredAny>) -> Result<(), Failure> {
        let key = input.unwrap_or_default();
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
                Some(response) => response.map_err(|error| self.failed(input, error))?,
            };
            let noted = self.noted(|journal| journal.passed(key));
            if polls.is_over() || noted.is_err() {
                self.deliver(input, &response)?;
                return Ok(noted?);
            }
        }
    }

    async fn pages(&self, input: Option<&str>, turn: &dyn Turn) -> Result<Reached, Failure> {
        let key = input.unwrap_or_default();
        let mut source = turn.start(self.position(key).as_ref(), self.extent.most)?;
        let mut is_first = true;
        loop {
            // Between two pages: what is here is written before anything else.
            if !source.is_ready() {
                if self.signals.is_stopped() {
                    let message = format!("stopped: {}", source.place());
                    return Err(Ended::Stopped(message).into());
                }
                if !is_first && self.extent.is_one_page() {
                    self.report_discrepancies(input, &*source);
                    return Ok(reached(&*source));
                }
            }
            let next = source.next().await;
            match next {
                None => {
                    self.report_discrepancies(input, &*source);
                    return Ok(reached(&*source));
                }
                Some(Ok(record)) => {
                    let delivery = self.record(input, &record, &*source);
                    if let Err(ended) = delivery.end {
                        let is_out = delivery.is_out && self.rest(input, &mut *source).await;
                        if is_out && self.extent.is_one_page() {
                            // The first failure is reported.
                            _ = self.reached(key, reached(&*source));
                        }
                        return Err(ended.into());
                    }
                    if input.is_none() {
                        self.of_pages(&*source, is_first);
                    }
                }
                Some(Err(error @ Error::Record(_))) => {
                    self.progress.say(&self.said(&error));
                    self.comes_to(key, &*source)?;
                }
                Some(Err(error)) => return Err(self.failed(input, error)),
            }
            is_first = false;
        }
    }

    /// Prints what does not add up in the pages of a list.
    fn report_discrepancies(&self, input: Option<&str>, source: &dyn Source) {
        let found = source.discrepancies();
        let of = input.map(|input| format!("{}: ", visible(input)));
        let of = of.unwrap_or_default();
        if found.repeated > 0 {
            let line = format!(
                "{of}records came twice on two pages in a row: {}. The list changed between two calls, and others may be missing.",
                found.repeated
            );
            self.progress.say(&line);
        }
        if found.beyond_total > 0 {
            let line = format!(
                "{of}more records came than the total says: {}. There may be more.",
                found.beyond_total
            );
            self.progress.say(&line);
        }
    }

    fn of_pages(&self, source: &dyn Source, is_first: bool) {
        if is_first
            && !self.extent.is_one_page()
            && let Some(coming) = source.coming()
        {
            let all = coming.saturating_add(1);
            self.progress.expect(u64::try_from(all).unwrap_or(u64::MAX));
        }
        self.progress.one(&self.client.ledger().usage());
    }
}

fn reached(source: &dyn Source) -> Reached {
    if source.is_over() {
        Reached::End
    } else {
        Reached::Enough
    }
}
