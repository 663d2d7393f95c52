//! A run: calls whose records are written as they come.
//!
//! What a call has cost is in the journal before its records are written, and a record is written before the journal says so. A run that
//! breaks off in between writes a page again; it never forgets what was paid.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::arguments::Arguments;
use super::call::{Call, Source, Turn, Way};
use super::ended::Ended;
use super::journal::Journal;
use super::output::Output;
use super::progress::Progress;
use super::signals::Signals;
use super::table::Command;
use crate::client::client::Client;
use crate::error::Error;
use crate::waiting::Wait;

/// How much of what an operation has is called for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) all: bool,
    pub(super) most: Option<u64>,
    pub(super) wait: bool,
    /// Whether inputs are called that may have been billed by an earlier run.
    pub(super) again: bool,
}

impl Extent {
    pub(super) fn is_one_page(self) -> bool {
        !self.all && self.most.is_none()
    }
}

/// Everything that the calls of a run share.
pub(super) struct Run {
    pub(super) command: &'static Command,
    pub(super) client: Client,
    pub(super) extent: Extent,
    pub(super) output: Mutex<Output>,
    pub(super) journal: Option<Mutex<Journal>>,
    pub(super) signals: Signals,
    pub(super) progress: Progress,
}

/// Why a call brought less than it should.
pub(super) enum Failure {
    Call(Box<Error>),
    Ended(Ended),
}

impl From<Ended> for Failure {
    fn from(ended: Ended) -> Self {
        Self::Ended(ended)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Ended(error.into())
    }
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Call(error) => (&*error).into(),
            Failure::Ended(ended) => ended,
        }
    }
}

/// What is locked stays usable: a thread that panics with it leaves whole lines behind.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run {
    /// Calls once.
    pub(super) async fn single(&self, arguments: &Arguments) -> Result<(), Ended> {
        if self.is_done("") {
            self.progress
                .note("The journal says that all of it is done.");
            return Ok(());
        }
        if self.is_unsure("") {
            return Err(Ended::usage(
                "by the journal, the last call of an earlier run may have been billed without a response: `--again` makes it again",
            ));
        }
        match self.one(None, arguments).await {
            Ok(()) => self.noted(|journal| journal.done("")),
            Err(failure) => {
                if let Failure::Call(error) = &failure {
                    self.after(error, "")?;
                }
                Err(failure.into())
            }
        }
    }

    /// Writes what stands behind the last record, and what the run has cost.
    pub(super) fn end(&self) -> Result<(), Ended> {
        let paid = self.paid();
        let mut output = lock(&self.output);
        let written = output.end();
        if let Some(hint) = output.hint() {
            self.progress.note(&hint);
        }
        self.progress.end(&self.client.ledger().usage());
        written?;
        paid
    }

    /// Makes the call of some arguments.
    pub(super) async fn one(
        &self,
        input: Option<&str>,
        arguments: &Arguments,
    ) -> Result<(), Failure> {
        let call = (self.command.call)(&self.client, arguments);
        let call = call.map_err(|refusal| match input {
            // Of a list, the others may do.
            Some(_) => Ended::Failed(refusal.to_string()),
            None => Ended::Usage(refusal.to_string()),
        })?;
        match &call.way {
            Way::Pages(turn) => self.pages(input, &call, &**turn).await,
            Way::Once => self.once(input, &call).await.map(|_| ()),
            Way::Submits(wait) => {
                let body = self.once(input, &call).await?;
                // It is not submitted again because nobody waited for it.
                self.noted(|journal| journal.done(input.unwrap_or_default()))?;
                match wait(&body, &call.client).filter(|_| self.extent.wait) {
                    Some(wait) => self.wait(input, wait).await,
                    None => Ok(()),
                }
            }
            Way::Polls(wait) if self.extent.wait => self.wait(input, wait()).await,
            Way::Polls(_) => self.once(input, &call).await.map(|_| ()),
        }
    }

    /// Notes what a failure means for a later run.
    pub(super) fn after(&self, error: &Error, input: &str) -> Result<(), Ended> {
        self.noted(|journal| match error.may_have_been_charged() {
            true => journal.unsure(input),
            false => journal.free(input),
        })
    }

    async fn once(&self, input: Option<&str>, call: &Call) -> Result<Bytes, Failure> {
        self.began(input.unwrap_or_default(), call)?;
        let response = call.send().await.map_err(|error| self.failed(error))?;
        self.paid()?;
        match serde_json::from_slice::<&RawValue>(&response.raw) {
            Ok(record) => self.write(input, record)?,
            // No JSON, as some responses are. It is paid for, whatever it is.
            Err(_) => lock(&self.output).bytes(&response.raw)?,
        }
        Ok(response.raw)
    }

    async fn wait(&self, input: Option<&str>, wait: Wait<IgnoredAny>) -> Result<(), Failure> {
        let done = tokio::select! {
            done = wait => done.map_err(|error| self.failed(error))?,
            () = self.signals.stopped() => {
                let message = "stopped: what was waited for goes on without this program".to_owned();
                return Err(Ended::Stopped(message).into());
            }
        };
        self.paid()?;
        match serde_json::from_slice::<&RawValue>(&done.raw) {
            Ok(record) => self.write(input, record),
            Err(_) => Ok(lock(&self.output).bytes(&done.raw)?),
        }
    }

    async fn pages(
        &self,
        input: Option<&str>,
        call: &Call,
        turn: &dyn Turn,
    ) -> Result<(), Failure> {
        let key = input.unwrap_or_default();
        let from = self.journal.as_ref();
        let from = from.and_then(|journal| lock(journal).offsets.get(key).copied());
        let mut source = turn.start(from, self.extent.most);
        let mut is_first = true;
        loop {
            // Between two pages: what is here is written before anything else.
            if !source.is_ready() {
                if self.signals.is_stopped() {
                    let offset = source.offset();
                    let message = format!("stopped: the next record is at offset {offset}");
                    return Err(Ended::Stopped(message).into());
                }
                if !is_first && self.extent.is_one_page() {
                    return Ok(());
                }
                self.began(key, call)?;
            }
            let next = source.next().await;
            self.paid()?;
            match next {
                None => return Ok(()),
                Some(Ok(record)) => {
                    if let Err(failure) = self.write(input, &record) {
                        self.rescue_rest(&failure, &mut *source).await;
                        return Err(failure);
                    }
                    self.noted(|journal| journal.at(key, source.offset()))?;
                    if input.is_none() {
                        self.of_pages(&*source, is_first);
                    }
                }
                Some(Err(error @ Error::Record(_))) => _ = self.progress.say(&format!("{error:?}")),
                Some(Err(error)) => {
                    if let Some(page) = source.take_refused() {
                        self.rescue(&page);
                    }
                    return Err(self.failed(error));
                }
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

    fn write(&self, input: Option<&str>, record: &RawValue) -> Result<(), Failure> {
        let written = lock(&self.output).record(input, record);
        written.map_err(|error| {
            let ended = Ended::from(error);
            if matches!(ended, Ended::Output(_)) {
                self.rescue(record.get().as_bytes());
            }
            ended.into()
        })
    }

    /// The error of a call, after the bytes that came with it.
    fn failed(&self, error: Error) -> Failure {
        if let (Some(status), Some(body)) = (error.status(), error.body())
            && status.is_success()
        {
            self.rescue(body);
        }
        // What it cost is known by now, also if it failed.
        match self.paid() {
            Ok(()) => Failure::Call(Box::new(error)),
            Err(ended) => Failure::Ended(ended),
        }
    }

    /// Shows what was paid for, and has no other place.
    fn rescue(&self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.progress.say(&format!(
            "This came, and could not be written or read as documented:\n{text}"
        ));
    }

    /// The records of a page that have no place any more; nothing where nobody listens.
    async fn rescue_rest(&self, failure: &Failure, source: &mut dyn Source) {
        while matches!(failure, Failure::Ended(Ended::Output(_))) && source.is_ready() {
            if let Some(Ok(record)) = source.next().await {
                self.rescue(record.get().as_bytes());
            }
        }
    }

    pub(super) fn is_done(&self, input: &str) -> bool {
        self.journal.as_ref().is_some_and(|journal| {
            let journal = lock(journal);
            journal.done.contains(input) || journal.refused.contains(input)
        })
    }

    pub(super) fn is_unsure(&self, input: &str) -> bool {
        let journal = self.journal.as_ref().filter(|_| !self.extent.again);
        journal.is_some_and(|journal| lock(journal).unsure.contains(input))
    }

    /// Notes that a call is made, before it is, and the budget that it is made on.
    fn began(&self, input: &str, call: &Call) -> Result<(), Ended> {
        self.paid()?;
        let at_most = call.client.quote(&call.request).at_most;
        self.noted(|journal| journal.began(input, at_most))
    }

    /// Keeps what the calls have cost so far.
    fn paid(&self) -> Result<(), Ended> {
        self.noted(|journal| journal.usage(self.client.ledger().usage()))
    }

    pub(super) fn noted(
        &self,
        note: impl FnOnce(&mut Journal) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        match &self.journal {
            Some(journal) => note(&mut lock(journal)),
            None => Ok(()),
        }
    }
}
