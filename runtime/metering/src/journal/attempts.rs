//! The state of all calls, derived from their attempts alone. What runs have spent and at risk is a sum of it, and so is which inputs may
//! have been billed for nothing.
//!
//! A call is an input with an idempotency key: its attempts are one piece of work, which costs the greatest of their prices at most. An
//! attempt without a key is a call.

use std::collections::{BTreeMap, BTreeSet};

use super::line::{Attempt, Line, Timestamp};
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::ledger::CallLabel;

/// The attempts of all runs, as far as something depends on them.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// How many there were.
    count: u64,
    /// Those that are in flight or at risk, and those of inputs that have nothing to show for them.
    all: BTreeMap<u64, Known>,
    /// The attempts of inputs that have nothing to show for them, as far as they were or may have been charged.
    unresolved: BTreeMap<String, BTreeSet<u64>>,
    spent: u64,
    calls: u64,
    surprises: u64,
}

/// What is known of an attempt.
#[derive(Debug)]
struct Known {
    attempt: Attempt,
    request_id: Option<String>,
    cost: Cost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    InFlight,
    AtRisk(Option<Credits>),
    /// The sum has it: the service or a person has said what it cost.
    Charged,
    /// A later attempt of the call has it.
    Replaced,
}

/// A call at risk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    pub(super) label: CallLabel,
    /// The amount at risk of the call; `None`: any amount.
    pub(super) amount: Option<Credits>,
    pub(super) attempts: Vec<u64>,
}

/// The idempotency key of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UsedKey {
    pub(super) key: String,
    /// When it was first sent.
    pub(super) at: Timestamp,
}

impl Attempts {
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Checks that a line can follow the earlier ones.
    pub(super) fn check(&self, line: &Line) -> Result<(), Unknown> {
        match line {
            Line::Charged { attempt, .. }
            | Line::Refunded { attempt }
            | Line::AtRisk { attempt, .. } => {
                let is_in_flight = self.cost(*attempt) == Some(Cost::InFlight);
                is_in_flight.then_some(()).ok_or(Unknown(*attempt))
            }
            Line::Repriced { attempts, .. }
            | Line::Replaced { attempts }
            | Line::Settled { attempts, .. } => {
                let mut distinct = BTreeSet::new();
                for attempt in attempts {
                    let is_at_risk = matches!(self.cost(*attempt), Some(Cost::AtRisk(_)));
                    if !is_at_risk || !distinct.insert(attempt) {
                        return Err(Unknown(*attempt));
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Applies a line about attempts. Fails if the line cannot follow the earlier ones.
    pub(super) fn apply(&mut self, line: &Line) -> Result<(), Unknown> {
        self.check(line)?;
        match line {
            Line::Interrupted {} => self.interrupt(),
            Line::Attempt(attempt) => self.sent(attempt),
            Line::Charged { attempt, credits } => self.charged(*attempt, *credits),
            Line::Refunded { attempt } => self.forget(*attempt),
            Line::AtRisk {
                attempt,
                credits,
                request_id,
            } => {
                if let Some(known) = self.all.get_mut(attempt) {
                    known.cost = Cost::AtRisk(*credits);
                    known.request_id.clone_from(request_id);
                }
                self.calls = self.calls.saturating_add(1);
            }
            Line::Repriced { attempts, credits } => {
                for attempt in attempts {
                    if let Some(known) = self.all.get_mut(attempt) {
                        known.cost = Cost::AtRisk(Some(*credits));
                    }
                }
            }
            Line::Replaced { attempts } => {
                for attempt in attempts {
                    self.end(*attempt, Cost::Replaced);
                }
            }
            Line::Settled { attempts, credits } => {
                let mut at_risk = Some(0_u64);
                for attempt in attempts {
                    if let Some(Cost::AtRisk(amount)) = self.cost(*attempt) {
                        let sum = at_risk.zip(amount.map(Credits::micros));
                        at_risk = sum.map(|(a, b)| a.saturating_add(b));
                    }
                    self.end(*attempt, Cost::Charged);
                }
                self.spend(*credits, at_risk.map(Credits::from_micros));
            }
            _ => {}
        }
        Ok(())
    }

    fn sent(&mut self, attempt: &Attempt) {
        self.count = self.count.saturating_add(1);
        if let Some(input) = &attempt.input {
            let unresolved = self.unresolved.entry(input.clone()).or_default();
            unresolved.insert(self.count);
        }
        let known = Known {
            attempt: attempt.clone(),
            request_id: None,
            cost: Cost::InFlight,
        };
        self.all.insert(self.count, known);
    }

    fn charged(&mut self, attempt: u64, credits: Credits) {
        let known = self.all.get(&attempt);
        let reserved = known.and_then(|known| known.attempt.reserved());
        self.spend(credits, reserved);
        self.calls = self.calls.saturating_add(1);
        if credits > Credits::ZERO {
            self.end(attempt, Cost::Charged);
        } else {
            self.forget(attempt);
        }
    }

    fn spend(&mut self, credits: Credits, expected: Option<Credits>) {
        self.spent = self.spent.saturating_add(credits.micros());
        let is_surprise = expected.is_some_and(|expected| credits > expected);
        self.surprises = self.surprises.saturating_add(is_surprise.into());
    }

    fn cost(&self, attempt: u64) -> Option<Cost> {
        Some(self.all.get(&attempt)?.cost)
    }

    /// Ends an attempt, whose amount is known. Its input still has nothing to show for it.
    fn end(&mut self, attempt: u64, cost: Cost) {
        let Some(known) = self.all.get_mut(&attempt) else {
            return;
        };
        known.cost = cost;
        let input = known.attempt.input.as_ref();
        let unresolved = input.and_then(|input| self.unresolved.get(input));
        if !unresolved.is_some_and(|unresolved| unresolved.contains(&attempt)) {
            self.all.remove(&attempt);
        }
    }

    /// Forgets an attempt that has cost nothing.
    fn forget(&mut self, attempt: u64) {
        let known = self.all.remove(&attempt);
        let Some(input) = known.and_then(|known| known.attempt.input) else {
            return;
        };
        if let Some(unresolved) = self.unresolved.get_mut(&input) {
            unresolved.remove(&attempt);
            if unresolved.is_empty() {
                self.unresolved.remove(&input);
            }
        }
    }

    /// Notes that an input has what the attempts so far were made for. Those in flight are of a later call.
    pub(super) fn resolve(&mut self, input: &str) {
        let Some(mut attempts) = self.unresolved.remove(input) else {
            return;
        };
        attempts.retain(
            |attempt| match self.all.get(attempt).map(|known| known.cost) {
                Some(Cost::InFlight) => true,
                Some(Cost::Charged | Cost::Replaced) => {
                    self.all.remove(attempt);
                    false
                }
                Some(Cost::AtRisk(_)) | None => false,
            },
        );
        if !attempts.is_empty() {
            self.unresolved.insert(input.to_owned(), attempts);
        }
    }

    fn interrupt(&mut self) {
        for known in self.all.values_mut() {
            if known.cost == Cost::InFlight {
                known.cost = Cost::AtRisk(known.attempt.at_risk);
                self.calls = self.calls.saturating_add(1);
            }
        }
    }

    /// Returns the calls at risk, in the order of their first attempts.
    pub(super) fn lost(&self) -> Vec<Lost> {
        let mut calls: Vec<Lost> = Vec::new();
        let mut by_key = BTreeMap::new();
        for (number, known) in &self.all {
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
        let in_flight = self.all.values();
        let in_flight = in_flight.filter(|known| known.cost == Cost::InFlight);
        let in_flight = in_flight.map(|known| known.attempt.reserved().unwrap_or_default());
        Usage {
            spent: Credits::from_micros(self.spent),
            reserved: sum(in_flight),
            at_risk: sum(self.lost().into_iter().filter_map(|call| call.amount)),
            calls: self.calls,
            surprises: self.surprises,
            ..Usage::default()
        }
    }

    /// Returns whether an attempt is in flight.
    pub(super) fn has_in_flight(&self) -> bool {
        self.all.values().any(|known| known.cost == Cost::InFlight)
    }

    /// Returns the attempts of an input that are at risk.
    pub(super) fn lost_attempts(&self, input: &str) -> Vec<u64> {
        let calls = self.lost().into_iter();
        let own = calls.filter(|call| call.label.input.as_deref() == Some(input));
        own.flat_map(|call| call.attempts).collect()
    }

    /// Returns whether a call of an input is in flight.
    pub(super) fn is_in_flight(&self, input: &str) -> bool {
        let attempts = self.unresolved.get(input).into_iter().flatten();
        let mut attempts = attempts.filter_map(|attempt| self.all.get(attempt));
        attempts.any(|known| known.cost == Cost::InFlight)
    }

    /// Returns whether an input has attempts that were or may have been charged, and nothing to show for them.
    pub(super) fn is_unresolved(&self, input: &str) -> bool {
        self.unresolved.contains_key(input)
    }

    pub(super) fn unresolved(&self) -> impl Iterator<Item = &str> {
        self.unresolved.keys().map(String::as_str)
    }

    /// Returns the attempts of the last call of an input, if that call has a key and nothing to show for it.
    fn last_call<'a>(&'a self, input: &str) -> Option<(&'a str, Vec<&'a Known>)> {
        let numbers = self.unresolved.get(input)?.iter();
        let mut attempts: Vec<_> = numbers.filter_map(|n| self.all.get(n)).collect();
        let key = attempts.last()?.attempt.idempotency_key.as_deref()?;
        attempts.retain(|known| known.attempt.idempotency_key.as_deref() == Some(key));
        Some((key, attempts))
    }

    /// Returns the key of the last call of an input, if the call was lost: with this key, another call is the same work.
    pub(super) fn lost_key(&self, input: &str) -> Option<UsedKey> {
        let (key, attempts) = self.last_call(input)?;
        let is_lost = |known: &&Known| matches!(known.cost, Cost::AtRisk(_) | Cost::Replaced);
        let at = attempts.iter().map(|known| known.attempt.at).min()?;
        attempts.iter().all(is_lost).then(|| UsedKey {
            key: key.to_owned(),
            at,
        })
    }

    /// Returns whether the last call of an input was made again with its key.
    pub(super) fn is_repeated(&self, input: &str) -> bool {
        let last = self.last_call(input);
        last.is_some_and(|(_, attempts)| attempts.len() > 1)
    }
}

/// There is no such attempt, or no more.
#[derive(Debug, thiserror::Error)]
#[error("it is about the attempt {0}, which is unknown or closed")]
pub(super) struct Unknown(u64);

fn sum(amounts: impl Iterator<Item = Credits>) -> Credits {
    let micros = amounts.fold(0_u64, |sum, amount| sum.saturating_add(amount.micros()));
    Credits::from_micros(micros)
}
