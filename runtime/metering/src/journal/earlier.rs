//! Reads a journal: its lines, and their combined meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use generated_client::paging::Position;
use generated_client::request::StoredKey;

use super::error::JournalError;
use super::line::{Attempt, KeptKey, Line, Run, lines};
use super::lost::LostCalls;
use super::storage::Place;
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::reconciliation::Cost;

/// How many records of an input are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// One response: of a list, one page.
    Page,
    /// This many records.
    Records(u64),
    /// All records.
    All,
}

/// Record of the earlier runs.
///
/// ```
/// use metered_client::journal::{Earlier, Journal, Wanted};
///
/// let earlier: Earlier = Journal::look("none.journal", "enrich")?;
/// assert!(!earlier.goes_on() && !earlier.is_done("example.com", Wanted::Page));
/// # Ok::<(), metered_client::journal::JournalError>(())
/// ```
#[derive(Debug, Default)]
pub struct Earlier {
    /// True if an earlier run began it.
    pub(super) goes_on: bool,
    usage: Usage,
    positions: BTreeMap<String, Position>,
    done: BTreeSet<String>,
    /// With how many records at most; `None` for one page.
    enough: BTreeMap<String, Option<u64>>,
    refused: BTreeSet<String>,
    /// Inputs with a call that was or may have been billed, but returned no record, or only a part of its page.
    unsure: BTreeSet<String>,
    /// Calls whose end is unknown.
    pending: BTreeMap<String, Option<Credits>>,
    /// Paid responses, in the order of their inputs.
    brought: BTreeMap<String, Place>,
    /// The number of attempts.
    pub(super) attempts: u64,
    pub(super) lost_calls: LostCalls,
    /// Attempts at risk whose price was unknown, by their numbers. Those with a key are one call with later ones.
    unpriced: BTreeMap<u64, Attempt>,
}

impl Earlier {
    /// Parses a journal, and returns how many of its bytes are whole lines.
    pub(super) fn read(path: &str, text: &str, run: &Run) -> Result<(Self, usize), JournalError> {
        let not_a_journal = |line: u64, problem: String| JournalError::NotAJournal {
            path: path.to_owned(),
            line,
            problem,
        };
        let whole = match text.rfind('\n') {
            Some(end) => end.saturating_add(1),
            // The first line is written before the first call: where it broke off, nothing was paid.
            None if run.begins_with(text) => 0,
            None => {
                let problem = "the line is incomplete; if a run with other arguments was killed while writing it, nothing was paid, and the file can be deleted";
                return Err(not_a_journal(1, problem.to_owned()));
            }
        };
        let mut earlier = Self::default();
        let mut start = 0_u64;
        for (number, line) in (1_u64..).zip(lines(text.get(..whole).unwrap_or_default())) {
            let length = line.len();
            let line = serde_json::from_str(line)
                .map_err(|error| not_a_journal(number, error.to_string()))?;
            match &line {
                Line::Run(other) if !other.has_this_version() => {
                    return Err(JournalError::Version {
                        path: path.to_owned(),
                    });
                }
                Line::Run(other) => {
                    if let Some(difference) = run.difference(other) {
                        return Err(JournalError::OtherRun {
                            path: path.to_owned(),
                            difference,
                        });
                    }
                }
                _ if number == 1 => {
                    let problem = "it does not name its run";
                    return Err(not_a_journal(1, problem.to_owned()));
                }
                _ => {}
            }
            earlier.apply(&line, Place { start, length });
            let end = u64::try_from(length).unwrap_or(u64::MAX).saturating_add(1);
            start = start.saturating_add(end);
        }
        Ok((earlier, whole))
    }

    /// Adds a line, which stands at this place.
    pub(super) fn apply(&mut self, line: &Line, place: Place) {
        match line {
            Line::Run(_) => self.goes_on = true,
            Line::Usage(usage) => self.usage = *usage,
            Line::Began {
                input,
                at_most,
                key,
            } => {
                // What the lost call has at risk is for the same work.
                let counted = self.lost_calls.began(input, key.as_ref()).micros();
                let excess = |most: Credits| most.micros().saturating_sub(counted);
                let excess = at_most.map(|most| Credits::from_micros(excess(most)));
                self.pending.insert(input.clone(), excess);
            }
            Line::Attempt(attempt) => {
                self.attempts = self.attempts.saturating_add(1);
                match (&attempt.idempotency_key, attempt.cost) {
                    (Some(key), Cost::AtRisk(_)) => self.lost_calls.attempted(self.attempts, key),
                    (None, Cost::AtRisk(_)) if attempt.unpriced.is_some() => {
                        self.unpriced.insert(self.attempts, attempt.clone());
                    }
                    _ => {}
                }
            }
            Line::Repriced { attempt, at_risk } => {
                self.lost_calls.bound(*attempt, Some(*at_risk));
                if let Some(attempt) = self.unpriced.get_mut(attempt) {
                    attempt.cost = Cost::AtRisk(Some(*at_risk));
                }
            }
            // A call that a person has settled is no longer at risk.
            Line::Resolved { attempts, .. } => {
                for attempt in attempts {
                    self.lost_calls.bound(*attempt, None);
                    self.unpriced.remove(attempt);
                }
            }
            Line::Reconciled { .. } | Line::EarlierSettled {} => {
                self.lost_calls.settled();
                self.unpriced.clear();
            }
            // A free call is as good as none.
            Line::Found { input, charged } => {
                let is_free = *charged == Credits::ZERO;
                self.lost_calls.found(input, is_free);
                if is_free {
                    self.unsure.remove(input);
                }
            }
            // It says nothing of an earlier call.
            Line::Settled { input } => {
                self.pending.remove(input);
                if !self.unsure.contains(input) {
                    self.lost_calls.remove_key(input);
                }
            }
            Line::Unsure { input, call } => {
                // A call that was charged, or lost its response here, is not made again with its key.
                if call.idempotency_key.is_none() {
                    self.lost_calls.remove_key(input);
                }
                self.call_lost(input, call.at_risk);
            }
            Line::Lost { input, at_risk } => {
                let part = self.at_risk(input).filter(|_| self.has_lost_key(input));
                let part = part.unwrap_or_default().micros();
                let sum = at_risk.map(|excess| excess.micros().saturating_add(part));
                self.call_lost(input, sum.map(Credits::from_micros));
            }
            Line::Brought { input, .. } => {
                self.resolved(input);
                self.brought.insert(input.clone(), place);
            }
            Line::Within { input, position } => {
                self.pending.remove(input);
                self.unsure.insert(input.clone());
                self.positions.insert(input.clone(), position.clone());
            }
            Line::At { input, position } => {
                self.resolved(input);
                self.positions.insert(input.clone(), position.clone());
            }
            Line::Enough { input, most } => {
                self.pending.remove(input);
                // The rest of its page is paid for, and would be asked for with it again.
                let position = self.positions.get(input);
                if position.is_none_or(|position| position.delivered_of_page() == 0) {
                    self.unsure.remove(input);
                }
                self.enough.insert(input.clone(), *most);
            }
            Line::Done { input } => {
                self.resolved(input);
                self.done.insert(input.clone());
            }
            Line::Refused { input, .. } => {
                self.resolved(input);
                self.refused.insert(input.clone());
            }
        }
    }

    /// Takes the attempts at risk whose price was unknown, with their numbers.
    pub(super) fn take_unpriced(&mut self) -> BTreeMap<u64, Attempt> {
        std::mem::take(&mut self.unpriced)
    }

    fn call_lost(&mut self, input: &str, at_risk: Option<Credits>) {
        self.pending.remove(input);
        self.unsure.insert(input.to_owned());
        self.lost_calls.lost(input, at_risk, self.attempts);
    }

    /// Marks the call of an input as resolved: earlier ones no longer matter.
    fn resolved(&mut self, input: &str) {
        self.pending.remove(input);
        self.unsure.remove(input);
        self.lost_calls.remove(input);
    }

    /// Returns the idempotency key of a lost call of an input, if the service certainly remembers it: it remembers a key for this time. A call
    /// with the key is the same work.
    pub fn lost_key(&self, input: &str, window: Option<Duration>) -> Option<StoredKey> {
        let KeptKey { key, at } = self.lost_calls.key(input)?;
        let age = at.age()?;
        (age < window?).then(|| StoredKey {
            key: key.as_str().into(),
            age,
        })
    }

    /// Returns whether the last call of an input was lost, and had a key.
    pub(super) fn has_lost_key(&self, input: &str) -> bool {
        self.lost_calls.is_lost(input)
    }

    /// Returns the part of the amount at risk that is certainly of an input.
    pub(super) fn at_risk(&self, input: &str) -> Option<Credits> {
        self.lost_calls.part(input)
    }

    /// Returns whether an earlier run began it.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Returns what all runs have cost together.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Returns where the pages of an input go on.
    pub fn position(&self, input: &str) -> Option<&Position> {
        self.positions.get(input)
    }

    /// Returns whether an input has as much as is wanted, or was refused for good.
    pub fn is_done(&self, input: &str, wanted: Wanted) -> bool {
        let has_enough = |had: &Option<u64>| match wanted {
            Wanted::Page => true,
            Wanted::Records(most) => had.is_some_and(|had| had >= most),
            Wanted::All => false,
        };
        self.is_at_end(input)
            || self.refused.contains(input)
            || self.enough.get(input).is_some_and(has_enough)
    }

    /// Returns whether all records of an input are kept.
    pub(super) fn is_at_end(&self, input: &str) -> bool {
        self.done.contains(input)
    }

    /// Returns whether a call of an input may have been billed, but returned only a part of a page, or nothing.
    pub fn is_unsure(&self, input: &str) -> bool {
        self.unsure.contains(input) || self.pending.contains_key(input)
    }

    /// Returns whether an input [is unsure](Self::is_unsure), and has no [key](Self::lost_key) with which it can be called again.
    pub fn is_unsure_without_key(&self, input: &str, window: Option<Duration>) -> bool {
        self.is_unsure(input) && self.lost_key(input, window).is_none()
    }

    /// Returns the place of the paid response of an input.
    pub(super) fn brought(&self, input: &str) -> Option<Place> {
        self.brought.get(input).copied()
    }

    /// Returns the inputs that have a paid response, in their order.
    pub(super) fn all_brought(&self) -> impl Iterator<Item = &str> {
        self.brought.keys().map(String::as_str)
    }

    /// Returns the inputs that [are unsure](Self::is_unsure).
    pub fn unsure(&self) -> impl Iterator<Item = &str> {
        let pending = self
            .pending
            .keys()
            .filter(|input| !self.unsure.contains(*input));
        self.unsure.iter().chain(pending).map(String::as_str)
    }

    /// Returns the inputs with a lost call: it may have been billed, and is not in flight.
    pub fn lost(&self) -> impl Iterator<Item = &str> {
        self.unsure.iter().map(String::as_str)
    }

    /// Returns the inputs with calls whose end is unknown, each with its part of what is [reserved](Self::reserved), if that is certain.
    pub(super) fn pending(&self) -> Vec<(String, Option<Credits>)> {
        let sum = self.pending.values().try_fold(0_u64, |sum, at_most| {
            sum.checked_add(at_most.as_ref()?.micros())
        });
        // Otherwise some of them only waited for room.
        let is_certain = sum.is_some_and(|sum| sum <= self.reserved().micros());
        let pending = self.pending.iter();
        let pending =
            pending.map(|(input, at_most)| (input.clone(), at_most.filter(|_| is_certain)));
        pending.collect()
    }

    /// Returns the reserved amount, including the cost of those calls: the run may have been killed before its usage was noted.
    pub(super) fn reserved(&self) -> Credits {
        let Usage {
            limit,
            spent,
            reserved,
            at_risk,
            ..
        } = self.usage;
        let used = spent.micros().saturating_add(at_risk.micros());
        let left = limit.map(|limit| limit.micros().saturating_sub(used));
        let pending = self.pending.values();
        let pending = pending.fold(0_u64, |sum, at_most| {
            let at_most = at_most.map(Credits::micros).or(left);
            sum.saturating_add(at_most.unwrap_or_default())
        });
        // Together they never had more than what was left.
        let pending = left.map_or(pending, |left| pending.min(left));
        reserved.max(Credits::from_micros(pending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: Place = Place {
        start: 0,
        length: 0,
    };

    #[test]
    fn what_began_and_did_not_end_is_bounded_by_what_was_left() {
        let credits = Credits::new;
        for (known, reserved, expected) in [
            (&[None][..], 0, 6),
            // Each of several workers had named its call, and one at a time could make it.
            (&[None, None, None], 0, 6),
            (&[None, Some(2)], 2, 6),
            (&[Some(2), Some(3)], 2, 5),
            (&[Some(2)], 4, 4),
            (&[Some(4), Some(4)], 4, 6),
            (&[], 0, 0),
        ] {
            let mut earlier = Earlier::default();
            let usage = Usage {
                limit: Some(credits(10)),
                spent: credits(3),
                at_risk: credits(1),
                reserved: credits(reserved),
                ..Usage::default()
            };
            earlier.apply(&Line::Usage(usage), NOWHERE);
            for (input, at_most) in known.iter().enumerate() {
                let began = Line::Began {
                    input: input.to_string(),
                    at_most: at_most.map(credits),
                    key: None,
                };
                earlier.apply(&began, NOWHERE);
            }
            assert_eq!(
                earlier.reserved(),
                credits(expected),
                "{known:?} {reserved}"
            );
        }
    }
}
