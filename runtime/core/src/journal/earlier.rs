//! What the lines of a journal say together: one fold gives what is known of each input, and of each attempt.

use std::collections::{BTreeMap, BTreeSet};

use super::input::Input;
use super::line::{Attempt, Line};
use super::storage::Place;
use crate::money::credits::Credits;

/// What the lines so far say.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// True if an earlier run began it.
    pub(super) goes_on: bool,
    pub(super) inputs: BTreeMap<String, Input>,
    /// How many attempts there were.
    pub(super) count: u64,
    /// Those that are in flight or at risk, and those that are unresolved.
    pub(super) attempts: BTreeMap<u64, Known>,
    pub(super) spent: Credits,
    pub(super) calls: u64,
    pub(super) surprises: u64,
}

/// What is known of an attempt.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) attempt: Attempt,
    pub(super) request_id: Option<String>,
    pub(super) cost: Cost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    InFlight,
    AtRisk(Option<Credits>),
    /// The sum has it: the service or a person has said what it cost.
    Charged,
    /// A later attempt of the call has it.
    Replaced,
}

impl Earlier {
    /// Checks that a line can follow the earlier ones.
    pub(super) fn check(&self, line: &Line) -> Result<(), String> {
        match line {
            Line::Charged { attempt, .. }
            | Line::Refunded { attempt }
            | Line::AtRisk { attempt, .. } => {
                let is_in_flight = self.cost(*attempt) == Some(Cost::InFlight);
                is_in_flight.then_some(()).ok_or_else(|| unknown(*attempt))
            }
            Line::Repriced { attempts, .. }
            | Line::Replaced { attempts }
            | Line::Settled { attempts, .. } => {
                let mut distinct = BTreeSet::new();
                for attempt in attempts {
                    let is_at_risk = matches!(self.cost(*attempt), Some(Cost::AtRisk(_)));
                    if !is_at_risk || !distinct.insert(attempt) {
                        return Err(unknown(*attempt));
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds a line that [can follow](Self::check) the earlier ones, and stands at this place.
    pub(super) fn apply(&mut self, line: &Line, place: Place) {
        match line {
            Line::Run(_) => self.goes_on = true,
            Line::Interrupted {} => self.interrupt(),
            Line::Attempt(attempt) => self.sent(attempt),
            Line::Charged { attempt, credits } => self.charged(*attempt, *credits),
            Line::Refunded { attempt } => self.forget(*attempt),
            Line::AtRisk {
                attempt,
                credits,
                request_id,
            } => {
                self.calls = self.calls.saturating_add(1);
                if let Some(known) = self.attempts.get_mut(attempt) {
                    known.cost = Cost::AtRisk(*credits);
                    known.request_id.clone_from(request_id);
                }
            }
            Line::Repriced { attempts, credits } => {
                for attempt in attempts {
                    self.end(*attempt, Cost::AtRisk(Some(*credits)));
                }
            }
            Line::Replaced { attempts } => {
                for attempt in attempts {
                    self.end(*attempt, Cost::Replaced);
                }
            }
            Line::Settled { attempts, credits } => self.settled(attempts, *credits),
            Line::Passed { input } => _ = self.resolve(input),
            Line::Brought { input, .. } => self.resolve(input).brought = Some(place),
            Line::Within { input, position } => {
                self.input(input).position = Some(position.clone());
            }
            Line::At { input, position } => self.resolve(input).position = Some(position.clone()),
            Line::Enough { input, most } => {
                // The rest of its page is paid for, and would be asked for with it again.
                let position = self.input(input).position.as_ref();
                let is_within = position.is_some_and(|at| at.delivered_of_page() > 0);
                let input = if is_within {
                    self.input(input)
                } else {
                    self.resolve(input)
                };
                input.enough = Some(*most);
            }
            Line::Done { input } => self.resolve(input).is_done = true,
            Line::Refused { input, .. } => self.resolve(input).is_refused = true,
        }
    }

    fn input(&mut self, input: &str) -> &mut Input {
        self.inputs.entry(input.to_owned()).or_default()
    }

    fn sent(&mut self, attempt: &Attempt) {
        self.count = self.count.saturating_add(1);
        let number = self.count;
        if let Some(input) = &attempt.input {
            self.input(input).unresolved.insert(number);
        }
        let known = Known {
            attempt: attempt.clone(),
            request_id: None,
            cost: Cost::InFlight,
        };
        self.attempts.insert(number, known);
    }

    fn charged(&mut self, attempt: u64, credits: Credits) {
        let known = self.attempts.get(&attempt);
        let reserved = known.and_then(|known| known.attempt.reserved());
        self.spend(credits, reserved);
        self.calls = self.calls.saturating_add(1);
        if credits > Credits::ZERO {
            self.end(attempt, Cost::Charged);
        } else {
            self.forget(attempt);
        }
    }

    fn settled(&mut self, attempts: &[u64], credits: Credits) {
        let mut at_risk = Some(Credits::ZERO);
        for attempt in attempts {
            if let Some(Cost::AtRisk(amount)) = self.cost(*attempt) {
                at_risk = at_risk.zip(amount).map(|(sum, amount)| sum + amount);
            }
            self.end(*attempt, Cost::Charged);
        }
        self.spend(credits, at_risk);
    }

    fn spend(&mut self, credits: Credits, expected: Option<Credits>) {
        self.spent += credits;
        let is_surprise = expected.is_some_and(|expected| credits > expected);
        self.surprises = self.surprises.saturating_add(is_surprise.into());
    }

    fn cost(&self, attempt: u64) -> Option<Cost> {
        Some(self.attempts.get(&attempt)?.cost)
    }

    /// Sets the cost of an attempt that has ended. Its input still has nothing to show for it.
    fn end(&mut self, attempt: u64, cost: Cost) {
        let Some(known) = self.attempts.get_mut(&attempt) else {
            return;
        };
        known.cost = cost;
        let input = known.attempt.input.as_ref();
        let input = input.and_then(|input| self.inputs.get(input));
        let is_unresolved = input.is_some_and(|input| input.unresolved.contains(&attempt));
        if !is_unresolved && !matches!(cost, Cost::AtRisk(_)) {
            self.attempts.remove(&attempt);
        }
    }

    /// Forgets an attempt that has cost nothing.
    fn forget(&mut self, attempt: u64) {
        let known = self.attempts.remove(&attempt);
        if let Some(input) = known.and_then(|known| known.attempt.input) {
            self.input(&input).unresolved.remove(&attempt);
        }
    }

    /// Notes that an input has what the attempts so far were made for. Those in flight are of a later call.
    fn resolve(&mut self, input: &str) -> &mut Input {
        for attempt in std::mem::take(&mut self.input(input).unresolved) {
            match self.attempts.get(&attempt).map(|known| known.cost) {
                Some(Cost::InFlight) => _ = self.input(input).unresolved.insert(attempt),
                Some(Cost::Charged | Cost::Replaced) => _ = self.attempts.remove(&attempt),
                Some(Cost::AtRisk(_)) | None => {}
            }
        }
        self.input(input)
    }

    fn interrupt(&mut self) {
        for known in self.attempts.values_mut() {
            if known.cost == Cost::InFlight {
                known.cost = Cost::AtRisk(known.attempt.at_risk);
                self.calls = self.calls.saturating_add(1);
            }
        }
    }
}

fn unknown(attempt: u64) -> String {
    format!("it is about the attempt {attempt}, which is unknown or closed")
}
