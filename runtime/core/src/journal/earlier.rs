//! What the lines of a journal say together: one fold gives what is known of each input, and what runs have spent and at risk.
//!
//! A call is an input with an idempotency key: its attempts are one piece of work, which costs the greatest of their prices at most. An
//! attempt without a key is a call.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::paging::Position;
use crate::request::StoredKey;

use super::line::{Attempt, Line};
use super::storage::Place;
use crate::money::Usage;
use crate::money::budget::CallLabel;
use crate::money::credits::Credits;
use crate::values::website;

/// How many records of an input are wanted.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// One response: of a list, one page.
    Page,
    /// This many records.
    Records(u64),
    /// All records.
    All,
}

/// What the lines so far say.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// True if an earlier run began it.
    pub(super) goes_on: bool,
    pub(super) inputs: BTreeMap<String, Input>,
    /// Inputs that are websites in another spelling than the one by which they are compared, by that one.
    spellings: BTreeMap<String, BTreeSet<String>>,
    /// How many attempts there were.
    pub(super) count: u64,
    /// Those that are in flight or at risk, and those that are unresolved.
    attempts: BTreeMap<u64, Known>,
    spent: u64,
    calls: u64,
    surprises: u64,
}

/// What is known of an input.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// Where its pages go on.
    pub(super) position: Option<Position>,
    /// All records are kept.
    pub(super) is_done: bool,
    /// This many records are kept; `None` for one page.
    enough: Option<Option<u64>>,
    /// By the service, for good.
    pub(super) is_refused: bool,
    /// A paid response.
    pub(super) brought: Option<Place>,
    /// The attempts that were or may have been charged, and have nothing to show for it, or only a part of a page.
    unresolved: BTreeSet<u64>,
}

impl Input {
    pub(super) fn is_unsure(&self) -> bool {
        !self.unresolved.is_empty()
    }

    /// Returns whether it has as much as is wanted, or was refused for good.
    pub(super) fn is_done(&self, wanted: Wanted) -> bool {
        let is_enough = match (self.enough, wanted) {
            (None, _) | (_, Wanted::All) => false,
            (Some(_), Wanted::Page) => true,
            (Some(had), Wanted::Records(most)) => had.is_some_and(|had| had >= most),
        };
        is_enough || self.is_done || self.is_refused
    }

    /// Adds what is known of the same input by another name.
    fn add(&mut self, other: Self) {
        let positions = [self.position.take(), other.position].into_iter();
        self.position = positions.flatten().max_by_key(Position::reached);
        self.is_done |= other.is_done;
        self.enough = self.enough.max(other.enough);
        self.is_refused |= other.is_refused;
        self.brought = self.brought.or(other.brought);
        self.unresolved.extend(other.unresolved);
    }
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
            Line::Spelled { input, spelling } => self.unite(input, spelling),
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
        if !self.inputs.contains_key(input)
            && let Some(website) = website(input)
            && website != input
        {
            let spellings = self.spellings.entry(website).or_default();
            spellings.insert(input.to_owned());
        }
        self.inputs.entry(input.to_owned()).or_default()
    }

    /// Returns the known inputs that are this website in other spellings: earlier versions noted inputs as they were given.
    pub(super) fn other_spellings(&self, website: &str) -> Vec<String> {
        let spellings = self.spellings.get(website).into_iter().flatten();
        spellings.cloned().collect()
    }

    /// Makes what is known of a spelling known of its website.
    fn unite(&mut self, website: &str, spelling: &str) {
        if let Some(spellings) = self.spellings.get_mut(website) {
            spellings.remove(spelling);
        }
        let Some(known) = self.inputs.remove(spelling) else {
            return;
        };
        for Known { attempt, .. } in self.attempts.values_mut() {
            if attempt.input.as_deref() == Some(spelling) {
                attempt.input = Some(website.to_owned());
            }
        }
        self.input(website).add(known);
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
        let mut at_risk = Some(0_u64);
        for attempt in attempts {
            if let Some(Cost::AtRisk(amount)) = self.cost(*attempt) {
                let sum = at_risk.zip(amount.map(Credits::micros));
                at_risk = sum.map(|(a, b)| a.saturating_add(b));
            }
            self.end(*attempt, Cost::Charged);
        }
        self.spend(credits, at_risk.map(Credits::from_micros));
    }

    fn spend(&mut self, credits: Credits, expected: Option<Credits>) {
        self.spent = self.spent.saturating_add(credits.micros());
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

fn unknown(attempt: u64) -> String {
    format!("it is about the attempt {attempt}, which is unknown or closed")
}

fn sum(amounts: impl Iterator<Item = Credits>) -> Credits {
    let micros = amounts.fold(0_u64, |sum, amount| sum.saturating_add(amount.micros()));
    Credits::from_micros(micros)
}
