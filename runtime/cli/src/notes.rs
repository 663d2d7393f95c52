//! What a run notes in its journal, and asks it. Without one, nothing is noted, and nothing is done yet.

use crate::call::Source;
use crate::delivery::is_short;
use crate::ended::{Ended, Later};
use crate::journal::Journal;
use crate::past::Past;
use crate::run::{Reached, Run, lock};
use generated_client::Error;
use generated_client::error::WaitingCause;
use generated_client::paging::Position;
use metered_client::Credits;
use metered_client::Outcome;
use metered_client::prelude::*;

impl Run {
    fn of_past<T>(&self, ask: impl FnOnce(&Past) -> T) -> Option<T> {
        let journal = self.journal.as_ref()?;
        Some(ask(lock(journal).past()))
    }

    /// Whether an input needs no call.
    pub(crate) fn is_done(&self, input: &str) -> bool {
        let is_done = self.of_past(|past| past.is_done(input, self.extent));
        is_done.unwrap_or_default()
    }

    /// Whether an input is called only on demand.
    pub(crate) fn is_held(&self, input: &str) -> bool {
        let is_unsure = self.of_past(|past| past.is_unsure(input));
        !self.extent.again && is_unsure.unwrap_or_default()
    }

    /// Where an input goes on.
    pub(crate) fn position(&self, input: &str) -> Option<Position> {
        self.of_past(|past| past.position(input).cloned()).flatten()
    }

    /// What a later run would have to do.
    pub(crate) fn later(&self) -> Option<Later> {
        self.of_past(|past| {
            let inputs = self.inputs.iter();
            let left = inputs.filter(|input| !past.is_done(input, self.extent));
            let (unsure, left): (Vec<_>, Vec<_>) = left.partition(|input| past.is_unsure(input));
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

    /// Keeps what the calls have cost so far.
    pub(crate) fn paid(&self) -> Result<(), Ended> {
        self.noted(|journal| journal.usage(self.client.ledger().usage()))
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

    /// Notes what a failure means for a later run.
    pub(crate) fn after(&self, error: &Error, input: &str) -> Result<(), Ended> {
        let is_settled = !error.may_have_been_charged() || has_brought(error);
        self.noted(|journal| match is_settled {
            true => journal.settled(input),
            false => journal.unsure(input),
        })
    }

    pub(crate) fn noted(
        &self,
        note: impl FnOnce(&mut Journal) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        match &self.journal {
            Some(journal) => note(&mut lock(journal)),
            None => Ok(()),
        }
    }
}

/// Whether the last call was billed, and brought what there was: a later run asks for what comes next.
fn has_brought(error: &Error) -> bool {
    let is_end = match error {
        Error::Waiting(error) => !matches!(error.cause, WaitingCause::Call(_)),
        error => is_short(error),
    };
    is_end && matches!(error.outcome(), Outcome::Charged(_))
}
