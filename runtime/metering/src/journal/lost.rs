//! Keys of calls, and what lost calls of earlier runs have at risk.

use std::collections::{BTreeMap, BTreeSet};

use super::line::KeptKey;
use crate::money::credits::Credits;

/// The last call of each input: its key, whether it was lost, and its part of the amount at risk.
#[derive(Debug, Default)]
pub(super) struct LostCalls {
    /// The keys of the last calls, where nothing has come of them.
    keys: BTreeMap<String, KeptKey>,
    /// The inputs whose last call was lost, and has a key.
    lost: BTreeSet<String>,
    /// The parts of what earlier runs have at risk that are of these inputs.
    parts: BTreeMap<String, Part>,
    /// The keys of attempts that earlier runs have at risk.
    attempts: BTreeMap<u64, String>,
    /// True once lines are those of this run, whose ledger has what is at risk.
    pub(super) is_over: bool,
}

/// A part of what earlier runs have at risk.
#[derive(Debug, Clone, Copy)]
struct Part {
    amount: Credits,
    /// The number of attempts so far: later ones are not of it.
    attempts: u64,
}

impl LostCalls {
    /// Adds a call that begins. Returns what is at risk for the same work: that of the lost call with its key.
    pub(super) fn began(&mut self, input: &str, key: Option<&KeptKey>) -> Credits {
        if self.is_lost(input) && self.keys.get(input) == key {
            return self.part(input).unwrap_or_default();
        }
        self.remove(input);
        if let Some(key) = key {
            self.keys.insert(input.to_owned(), key.clone());
        }
        Credits::ZERO
    }

    /// Adds an attempt at risk, by its number.
    pub(super) fn attempted(&mut self, number: u64, key: &str) {
        if !self.is_over {
            self.attempts.insert(number, key.to_owned());
        }
    }

    /// Adds a call that was lost, after so many attempts of all calls. `at_risk`: its part, if that is certain.
    pub(super) fn lost(&mut self, input: &str, at_risk: Option<Credits>, attempts: u64) {
        if self.keys.contains_key(input) {
            self.lost.insert(input.to_owned());
        }
        if self.is_over {
            return;
        }
        match at_risk {
            Some(amount) => {
                let part = Part { amount, attempts };
                self.parts.insert(input.to_owned(), part);
            }
            None => _ = self.parts.remove(input),
        }
    }

    /// Lowers the part that has the key of an attempt to `most`, or removes it: the attempt was repriced, or settled.
    pub(super) fn bound(&mut self, attempt: u64, most: Option<Credits>) {
        let (keys, key) = (&self.keys, self.attempts.get(&attempt));
        self.parts.retain(|input, part| {
            let own = keys.get(input).map(|kept| &kept.key);
            if own.is_none() || own != key || attempt > part.attempts {
                return true;
            }
            part.amount = part.amount.min(most.unwrap_or_default());
            most.is_some()
        });
    }

    /// Removes all parts: what earlier runs have at risk was settled, and whose it was is unknown.
    pub(super) fn settled(&mut self) {
        self.parts.clear();
    }

    /// Removes the part of an input: what its call cost is known. A free one is not lost.
    pub(super) fn found(&mut self, input: &str, is_free: bool) {
        self.parts.remove(input);
        if is_free {
            self.lost.remove(input);
        }
    }

    /// Removes the key of an input: a call with it would not be the same work.
    pub(super) fn remove_key(&mut self, input: &str) {
        self.keys.remove(input);
        self.lost.remove(input);
    }

    /// Removes an input: its call is resolved, or another one is made.
    pub(super) fn remove(&mut self, input: &str) {
        self.remove_key(input);
        self.parts.remove(input);
    }

    /// Returns whether the last call of an input was lost, and has a key.
    pub(super) fn is_lost(&self, input: &str) -> bool {
        self.lost.contains(input)
    }

    /// Returns the key of the last call of an input, if the call was lost.
    pub(super) fn key(&self, input: &str) -> Option<&KeptKey> {
        self.keys.get(input).filter(|_| self.is_lost(input))
    }

    /// Returns the part of the amount at risk that is certainly of an input.
    pub(super) fn part(&self, input: &str) -> Option<Credits> {
        self.parts.get(input).map(|part| part.amount)
    }
}
