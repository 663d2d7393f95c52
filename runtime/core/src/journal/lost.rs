//! What runs have spent and at risk, and which calls are lost.
//!
//! A call is an input with an idempotency key: its attempts are one piece of work, which costs the greatest of their prices at most. An
//! attempt without a key is a call.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::request::StoredKey;

use super::earlier::{Cost, Earlier, Known};
use super::input::Input;
use super::line::Attempt;
use crate::money::Usage;
use crate::money::budget::CallLabel;
use crate::money::credits::Credits;

/// A call at risk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    pub(super) label: CallLabel,
    /// The amount at risk of the call; `None`: any amount.
    pub(super) amount: Option<Credits>,
    pub(super) attempts: Vec<u64>,
}

impl Earlier {
    /// Returns the calls at risk, in the order of their first attempts.
    pub(super) fn lost(&self) -> Vec<Lost> {
        let mut calls: Vec<Lost> = Vec::new();
        let mut by_key = BTreeMap::new();
        for (number, known) in &self.attempts {
            let Cost::AtRisk(amount) = known.cost else {
                continue;
            };
            let Attempt {
                input,
                idempotency_key,
                ..
            } = &known.attempt;
            let place = match idempotency_key {
                Some(key) => *by_key.entry((input, key)).or_insert(calls.len()),
                None => calls.len(),
            };
            match calls.get_mut(place) {
                Some(call) => {
                    call.amount = call.amount.max(amount);
                    call.attempts.push(*number);
                }
                None => calls.push(Lost {
                    label: known.attempt.label(known.request_id.clone()),
                    amount,
                    attempts: vec![*number],
                }),
            }
        }
        calls
    }

    /// Returns the sum of all calls, without a limit.
    pub(super) fn usage(&self) -> Usage {
        let in_flight = self.attempts.values();
        let in_flight = in_flight.filter(|known| known.cost == Cost::InFlight);
        let in_flight = in_flight.map(|known| known.attempt.reserved().unwrap_or_default());
        Usage {
            spent: self.spent,
            reserved: in_flight.sum(),
            at_risk: self.lost().iter().filter_map(|call| call.amount).sum(),
            calls: self.calls,
            surprises: self.surprises,
            ..Usage::default()
        }
    }

    /// Returns whether an attempt is in flight.
    pub(super) fn has_in_flight(&self) -> bool {
        self.attempts
            .values()
            .any(|known| known.cost == Cost::InFlight)
    }

    /// Returns the attempts of an input that are at risk.
    pub(super) fn lost_attempts(&self, input: &str) -> Vec<u64> {
        let calls = self.lost().into_iter();
        let own = calls.filter(|call| call.label.input.as_deref() == Some(input));
        own.flat_map(|call| call.attempts).collect()
    }

    /// Returns whether a call of an input is in flight.
    pub(super) fn is_in_flight(&self, input: &str) -> bool {
        let mut attempts = self.unresolved(input);
        attempts.any(|known| known.cost == Cost::InFlight)
    }

    /// Returns whether a call of an input was or may have been billed, but returned only a part of a page, or nothing.
    pub(super) fn is_unsure(&self, input: &str) -> bool {
        self.inputs.get(input).is_some_and(Input::is_unsure)
    }

    fn unresolved(&self, input: &str) -> impl Iterator<Item = &Known> {
        let input = self.inputs.get(input).into_iter();
        let numbers = input.flat_map(|input| &input.unresolved);
        numbers.filter_map(|number| self.attempts.get(number))
    }

    /// Returns the attempts of the last call of an input, if that call has a key and nothing to show for it.
    fn last_call(&self, input: &str) -> Option<(&str, Vec<&Known>)> {
        let mut attempts: Vec<_> = self.unresolved(input).collect();
        let key = attempts.last()?.attempt.idempotency_key.as_deref()?;
        attempts.retain(|known| known.attempt.idempotency_key.as_deref() == Some(key));
        Some((key, attempts))
    }

    /// Returns the idempotency key of the last call of an input, if the call was lost, and the service certainly remembers the key: it remembers a
    /// key for this time. Another call with the key is the same work. A call that a person has settled has none.
    pub(super) fn lost_key(&self, input: &str, window: Option<Duration>) -> Option<StoredKey> {
        let (key, attempts) = self.last_call(input)?;
        let is_lost = |known: &&Known| matches!(known.cost, Cost::AtRisk(_) | Cost::Replaced);
        let age = attempts.iter().map(|known| known.attempt.at).min()?.age()?;
        (attempts.iter().all(is_lost) && age < window?).then(|| StoredKey {
            key: key.into(),
            age,
        })
    }

    /// Returns whether the last call of an input was made again with its key.
    pub(super) fn is_repeated(&self, input: &str) -> bool {
        let last = self.last_call(input);
        last.is_some_and(|(_, attempts)| attempts.len() > 1)
    }
}
