//! Reads and writes the journal of a run. Without a journal, nothing is recorded, and every input is new.

use crate::call::{Call, Source};
use crate::ended::{Ended, Later};
use crate::run::{Reached, Run};
use generated_client::Client;
use generated_client::paging::Position;
use generated_client::request::StoredKey;
use metered_client::journal::{Earlier, Journal, JournalError};

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

    /// Returns the client for the calls of an input.
    pub(crate) fn client_for(&self, input: &str) -> Result<Client, Ended> {
        match &self.journal {
            Some(journal) => Ok(journal.client(input, &self.client)?),
            None => Ok(self.client.clone()),
        }
    }

    /// Returns the idempotency key of a call with one response.
    pub(crate) fn key(&self, input: &str, call: &Call) -> Result<Option<StoredKey>, Ended> {
        match &self.journal {
            Some(journal) => Ok(journal.key(input, &call.request)?),
            None => Ok(None),
        }
    }

    /// Notes behind which record a run is, and whether it has all of a page.
    pub(crate) fn comes_to(&self, input: &str, source: &dyn Source) -> Result<(), Ended> {
        let position = source.position();
        let is_within = source.is_ready() || position.delivered_of_page() > 0;
        self.noted(|journal| {
            if source.is_over() {
                // Behind the last page there is only that page to ask for again.
                journal.done(input)
            } else if is_within {
                journal.within(input, position)
            } else {
                journal.at(input, position)
            }
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
