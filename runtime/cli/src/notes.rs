//! Reads and writes the journal of a run. Without a journal, nothing is recorded, and every input is new.

use crate::call::{Call, Source};
use crate::ended::{Ended, Later};
use crate::run::{Reached, Run};
use generated_client::paging::Position;
use generated_client::request::StoredKey;
use metered_client::Credits;
use metered_client::journal::{Earlier, Journal, JournalError};
use metered_client::prelude::*;

impl Run {
    fn of_earlier<T>(&self, ask: impl FnOnce(&Earlier) -> T) -> Option<T> {
        Some(self.journal.as_ref()?.of_earlier(ask))
    }

    /// Returns whether an input needs no call.
    pub(crate) fn is_done(&self, input: &str) -> bool {
        let is_done = self.of_earlier(|earlier| earlier.is_done(input, self.extent.wanted()));
        is_done.unwrap_or_default()
    }

    /// Returns whether an input is called on demand only.
    pub(crate) fn is_held(&self, input: &str) -> bool {
        let is_unsure =
            self.of_earlier(|earlier| earlier.is_unsure_without_key(input, self.window));
        !self.extent.again && is_unsure.unwrap_or_default()
    }

    /// Returns the position at which an input continues.
    pub(crate) fn position(&self, input: &str) -> Option<Position> {
        self.of_earlier(|earlier| earlier.position(input).cloned())
            .flatten()
    }

    /// Returns the work left for a later run.
    pub(crate) fn later(&self) -> Option<Later> {
        self.of_earlier(|earlier| {
            let inputs = self.inputs.iter();
            let left = inputs.filter(|input| !earlier.is_done(input, self.extent.wanted()));
            let (unsure, left): (Vec<_>, Vec<_>) =
                left.partition(|input| earlier.is_unsure_without_key(input, self.window));
            Later {
                left: left.len(),
                unsure: unsure.len(),
            }
        })
    }

    /// Notes that a call is made, before it is, and the budget that it is made on.
    pub(crate) fn began(&self, input: &str, at_most: Option<Credits>) -> Result<(), Ended> {
        self.paid()?;
        self.noted(|journal| journal.began(input, at_most))
    }

    /// Notes that a call with one response is made, and returns its idempotency key.
    pub(crate) fn began_with_key(
        &self,
        input: &str,
        call: &Call,
    ) -> Result<Option<StoredKey>, Ended> {
        self.paid()?;
        let at_risk = call.client.quote(&call.request).at_risk;
        match &self.journal {
            Some(journal) => Ok(journal.began_with_key(input, at_risk, &call.request)?),
            None => Ok(None),
        }
    }

    /// Keeps what the calls have cost so far.
    pub(crate) fn paid(&self) -> Result<(), Ended> {
        self.noted(|journal| journal.paid(self.client.ledger().usage()))
    }

    /// Notes behind which record a run is, and whether it has all of a page.
    pub(crate) fn comes_to(&self, input: &str, source: &dyn Source) -> Result<(), Ended> {
        let position = source.position();
        let is_within = source.is_ready() || position.delivered_of_page() > 0;
        self.noted(|journal| match is_within {
            // Behind the last page there is only that page to ask for again.
            _ if source.is_over() => journal.done(input),
            true => journal.within(input, position),
            false => journal.at(input, position),
        })
    }

    /// Notes how much of an input is there.
    pub(crate) fn reached(&self, input: &str, reached: Reached) -> Result<(), Ended> {
        self.noted(|journal| match reached {
            Reached::Enough => journal.enough(input, self.extent.most),
            Reached::End => journal.done(input),
        })
    }

    pub(crate) fn noted(
        &self,
        note: impl FnOnce(&Journal) -> Result<(), JournalError>,
    ) -> Result<(), Ended> {
        match &self.journal {
            Some(journal) => Ok(note(journal)?),
            None => Ok(()),
        }
    }
}
