//! Calls with idempotency keys: the key of a lost call is used again, and what the lost call has at risk is released.

use std::time::Duration;

use generated_client::Error;
use generated_client::internal::idempotency_window;
use generated_client::request::{Request, StoredKey};

use super::earlier::Wanted;
use super::error::JournalError;
use super::journal::{Before, Journal};
use super::line::{KeptKey, Line, LostCall};
use super::notes::State;
use crate::ext::Charged;
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::ledger::AtRiskId;
use crate::money::outcome::Outcome;

impl Journal {
    /// Notes that a call is made, and returns its idempotency key: that of a [lost call](super::Earlier::lost_key) of the input, or an unused
    /// one; `None` if its operation has none, the caller gave one, or it is free.
    ///
    /// # Errors
    ///
    /// A call of the input may have been billed, and has no such key: only [`again`](Self::again) makes it again. Or the journal cannot be
    /// written.
    pub fn began_with_key(
        &self,
        input: &str,
        at_most: Option<Credits>,
        request: &Request,
    ) -> Result<Option<StoredKey>, JournalError> {
        let window = idempotency_window(request).filter(|_| at_most != Some(Credits::ZERO));
        let begun = self.begun_in(&mut self.notes.state(), input, at_most, window)?;
        begun.ok_or_else(|| JournalError::AtRisk {
            input: input.to_owned(),
        })
    }

    /// Settles what a lost call with this key has at risk, once a call with it was charged or is lost too: both are the same work.
    pub fn ended_with_key(
        &self,
        input: &str,
        key: Option<&StoredKey>,
        sent: &Result<impl Charged, Error>,
    ) -> Result<(), JournalError> {
        let Some(key) = key else { return Ok(()) };
        let outcome = match sent {
            Ok(response) => response.outcome(),
            Err(error) => error.outcome(),
        };
        match outcome {
            Outcome::Charged(credits) if credits > Credits::ZERO => self.replace(input, key, true),
            Outcome::Unknown(_) => self.replace(input, key, false),
            _ => Ok(()),
        }
    }

    /// Notes that a call is made, unless it should not be. `window`: how long the service remembers the key of the call, if it has one.
    pub(super) fn before(
        &self,
        input: &str,
        at_most: Option<Credits>,
        usage: Usage,
        window: Option<Option<Duration>>,
    ) -> Result<Before, JournalError> {
        let mut state = self.notes.state();
        if state.earlier.is_done(input, Wanted::Page) {
            return Ok(Before::Done);
        }
        if let Some(body) = self.response_in(&mut state, input)? {
            return Ok(Before::Brought(body));
        }
        if usage != state.earlier.usage() {
            self.notes.note(&mut state, &[Line::Usage(usage)])?;
        }
        let begun = self.begun_in(&mut state, input, at_most, window)?;
        Ok(begun.map_or(Before::AtRisk, Before::Begun))
    }

    /// Notes that a call is made, after [`paid`](Self::paid), and returns its key. `None`: a call of the input may have been billed.
    fn begun_in(
        &self,
        state: &mut State,
        input: &str,
        at_most: Option<Credits>,
        window: Option<Option<Duration>>,
    ) -> Result<Option<Option<StoredKey>>, JournalError> {
        // With the key of a lost call it is the same work.
        let stored = window.and_then(|window| state.earlier.lost_key(input, window));
        if state.earlier.is_unsure(input) && !self.is_again && stored.is_none() {
            return Ok(None);
        }
        if let Some(stored) = stored {
            let key = state.earlier.lost_calls.key(input).cloned();
            self.began_in(state, input, at_most, key)?;
            return Ok(Some(Some(stored)));
        }
        self.began_anew(state, input, at_most, window).map(Some)
    }

    /// Notes that a call is made, whatever is known of its input.
    pub(super) fn begun(
        &self,
        input: &str,
        at_most: Option<Credits>,
        usage: Usage,
        window: Option<Option<Duration>>,
    ) -> Result<Before, JournalError> {
        self.paid(usage)?;
        let key = self.began_anew(&mut self.notes.state(), input, at_most, window)?;
        Ok(Before::Begun(key))
    }

    /// Notes that a call is made, and returns its key: an unused one, if it has a window.
    fn began_anew(
        &self,
        state: &mut State,
        input: &str,
        at_most: Option<Credits>,
        window: Option<Option<Duration>>,
    ) -> Result<Option<StoredKey>, JournalError> {
        let key = window.map(|_| KeptKey::unused());
        self.began_in(state, input, at_most, key.clone())?;
        Ok(key.map(|kept| StoredKey {
            key: kept.key.into(),
            age: Duration::ZERO,
        }))
    }

    /// Settles what lost calls of an input with a used key have at risk: they are the same work as the last one, which was charged, or has as
    /// much at risk.
    pub(super) fn replace(
        &self,
        input: &str,
        key: &StoredKey,
        is_charged: bool,
    ) -> Result<(), JournalError> {
        let Some(ledger) = self.ledger.get().filter(|_| key.age > Duration::ZERO) else {
            return Ok(());
        };
        let mut same = ledger.at_risk();
        same.retain(|call| call.call.idempotency_key.as_deref() == Some(&*key.key));
        same.sort_by_key(|call| call.id);
        let last = match is_charged {
            true => None,
            false => match same.pop().and_then(|last| last.amount) {
                Some(last) => Some(last),
                None => return Ok(()),
            },
        };
        let is_within =
            |part: Option<Credits>| last.is_none_or(|last| part.is_some_and(|part| part <= last));
        let same = same.iter().filter(|call| is_within(call.amount));
        let same: Vec<AtRiskId> = same.map(|call| call.id).collect();
        ledger.settle_all(&same, Credits::ZERO);
        let part = self.of_earlier(|earlier| earlier.at_risk(input));
        let Some(part) = part.filter(|part| is_within(Some(*part))) else {
            return Ok(());
        };
        let unsure = |at_risk| Line::Unsure {
            input: input.to_owned(),
            call: LostCall {
                at_risk,
                request_id: None,
                idempotency_key: Some(key.key.to_string()),
            },
        };
        // A run that is killed between these lines has too much at risk, and does not forget the call.
        let found = Line::Found {
            input: input.to_owned(),
            charged: Credits::ZERO,
        };
        let note = |lines: &[Line]| self.notes.note(&mut self.notes.state(), lines);
        note(&[found, unsure(None)])?;
        ledger.forget_earlier(part);
        match last {
            Some(last) => note(&[Line::Usage(ledger.usage()), unsure(Some(last))]),
            None => Ok(()),
        }
    }
}
