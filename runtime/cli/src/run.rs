//! A run: calls whose records are written as they come.
//!
//! The journal records the cost of a call before its records are written, and a record after it is written. A run that is killed in between
//! may write a record again. It never forgets a payment, and asks before it pays for the rest of a page again.

use metered_client::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::arguments::Arguments;
use crate::call::{Call, Source, Turn, Way};
use crate::ended::{Ended, said};
use crate::extent::Extent;
use crate::output::Output;
use crate::progress::Progress;
use crate::signals::Signals;
use crate::table::Command;
use generated_client::Client;
use generated_client::Error;
use generated_client::waiting::{Polls, Wait};
use metered_client::Credits;
use metered_client::journal::Journal;

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
    pub(crate) signals: Signals,
    pub(crate) progress: Progress,
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
            return Err(Ended::usage(match self.client.is_metered() {
                true => {
                    "according to the journal, a call of an earlier run may have been billed and returned no record or only part of its page: `--again` repeats it"
                }
                false => {
                    "according to the journal, a call of an earlier run returned no record or only part of its page: `--again` repeats it"
                }
            }));
        }
        match self.one(None, arguments).await {
            Ok(reached) => self.reached("", reached),
            Err(Failure::Call(error)) => {
                match self.noted(|journal| journal.failed_once("", &error)) {
                    Ok(()) => Err((&*error).into()),
                    Err(ended) => {
                        self.progress.say(&said(&error));
                        Err(ended)
                    }
                }
            }
            Err(Failure::Ended(ended)) => Err(ended),
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
        let call = (self.command.call)(&self.client, arguments);
        let call = call.map_err(|refusal| match input {
            // Other inputs of the list may work.
            Some(_) => Ended::Failed(refusal.to_string()),
            None => Ended::Usage(refusal.to_string()),
        })?;
        match &call.way {
            Way::Pages(turn) => return self.pages(input, &call, &**turn).await,
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
        let name = input.unwrap_or_default();
        let key = self.began_with_key(name, call)?;
        let sent = call.send(key.as_ref()).await;
        let ended = self.noted(|journal| journal.ended_with_key(name, key.as_ref(), &sent));
        let response = sent.map_err(|error| self.failed(input, error))?;
        self.deliver(input, &response).and(ended)?;
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
            self.began(key, at_risk(&polls))?;
            let is_asking = polls.is_asking();
            let next = tokio::select! {
                // A response takes precedence over a signal.
                biased;
                next = polls.next() => next,
                () = self.signals.stopped_between(&is_asking) => {
                    self.noted(|journal| journal.settled(key))?;
                    continue;
                }
            };
            let response = match next {
                None => return Ok(()),
                Some(response) => response.map_err(|error| self.failed(input, error))?,
            };
            let noted = self.paid();
            let noted = noted.and_then(|()| self.noted(|journal| journal.settled(key)));
            if polls.is_over() || noted.is_err() {
                self.deliver(input, &response)?;
                return Ok(noted?);
            }
        }
    }

    async fn pages(
        &self,
        input: Option<&str>,
        call: &Call,
        turn: &dyn Turn,
    ) -> Result<Reached, Failure> {
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
                    return Ok(reached(&*source));
                }
                if !source.is_over() {
                    self.began(key, call.client.quote(&source.request()).at_risk)?;
                }
            }
            let next = source.next().await;
            let paid = self.paid();
            match next {
                None => {
                    paid?;
                    return Ok(reached(&*source));
                }
                Some(Ok(record)) => {
                    let delivery = self.record(input, &record, &*source);
                    if let Err(ended) = delivery.end.and(paid) {
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
                    self.progress.say(&said(&error));
                    paid?;
                    self.comes_to(key, &*source)?;
                }
                Some(Err(error)) => return Err(self.failed(input, error)),
            }
            is_first = false;
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

/// Returns what the next poll has at risk if it is lost; `None` if nothing is known of its price.
fn at_risk<T: DeserializeOwned + Send + 'static>(polls: &Polls<T>) -> Option<Credits> {
    match polls.next_call() {
        Some((client, request)) => client.quote(request).at_risk,
        None => Some(Credits::ZERO),
    }
}

fn reached(source: &dyn Source) -> Reached {
    match source.is_over() {
        true => Reached::End,
        false => Reached::Enough,
    }
}
