//! What the service has billed for each attempt, what workers know of it, and what the account must say in the end.

use std::collections::BTreeMap;

use generated_client::money::AtRisk;

use super::store::Sums;

/// An attempt of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Attempt {
    pub(super) call: usize,
    pub(super) number: u32,
}

/// What the worker knows of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Known {
    /// It was not sent.
    #[default]
    Unsent,
    /// There is no response, or none that says what it cost.
    Uncertain,
    /// It was charged this much.
    Charged(u64),
    /// It was rejected, and cost nothing.
    Rejected,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Entry {
    pub(super) worker: usize,
    /// What was reserved.
    pub(super) price: u64,
    pub(super) scopes: Vec<String>,
    pub(super) billed: u64,
    pub(super) known: Known,
    /// The service has no more to do with it.
    pub(super) is_over: bool,
    /// The worker was killed before the account could know.
    pub(super) is_orphan: bool,
    by_hand: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) entries: BTreeMap<Attempt, Entry>,
    billed: BTreeMap<String, u64>,
}

impl Attempt {
    /// Reads an attempt from the operation and the number in a step or in a call at risk.
    pub(super) fn read(operation: &str, number: &str) -> Self {
        let call = operation.trim_start_matches("call").parse();
        Self {
            call: call.unwrap(),
            number: number.parse().unwrap(),
        }
    }

    fn of(risk: &AtRisk) -> Self {
        Self::read(&risk.call.operation, &risk.call.attempt.to_string())
    }
}

impl Ledger {
    /// Returns the attempt that a call sends now.
    pub(super) fn sent(&mut self, call: usize) -> Option<(Attempt, u64)> {
        let of_call = Attempt { call, number: 0 }..Attempt {
            call: call + 1,
            number: 0,
        };
        let (attempt, entry) = self.entries.range_mut(of_call).next_back()?;
        if entry.known != Known::Unsent {
            return None;
        }
        entry.known = Known::Uncertain;
        Some((*attempt, entry.price))
    }

    pub(super) fn entry(&mut self, attempt: Attempt) -> &mut Entry {
        self.entries.get_mut(&attempt).unwrap()
    }

    pub(super) fn bill(&mut self, attempt: Attempt, charge: u64) {
        let entry = self.entries.get_mut(&attempt).unwrap();
        entry.billed += charge;
        for scope in &entry.scopes {
            *self.billed.entry(scope.clone()).or_default() += charge;
        }
    }

    pub(super) fn billed(&self, scope: &str) -> u64 {
        self.billed.get(scope).copied().unwrap_or_default()
    }

    /// Notes that a worker was killed: what its calls have cost is at risk, if the account does not know it yet.
    pub(super) fn orphan(&mut self, worker: usize) {
        for entry in self.entries.values_mut() {
            entry.is_orphan |= entry.worker == worker;
        }
    }

    /// Returns what a person can settle of a call at risk: the service has billed this much.
    pub(super) fn can_settle(&self, risk: &AtRisk) -> Option<u64> {
        let entry = &self.entries[&Attempt::of(risk)];
        (entry.is_over || entry.known == Known::Unsent).then_some(entry.billed)
    }

    pub(super) fn settled_by_hand(&mut self, risk: &AtRisk, charge: u64) {
        self.entry(Attempt::of(risk)).by_hand = Some(charge);
    }

    /// Returns the number of attempts that a person has settled.
    pub(super) fn by_hand(&self) -> u64 {
        let by_hand = self
            .entries
            .values()
            .filter(|entry| entry.by_hand.is_some());
        by_hand.count() as u64
    }

    /// Compares the account with the ledger after all leases have ended. Returns what is wrong.
    pub(super) fn compare(&self, risks: &[AtRisk], sums: &BTreeMap<String, Sums>) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut expected: BTreeMap<&str, Sums> = BTreeMap::new();
        let mut at_risk = BTreeMap::new();
        for risk in risks {
            let amount = risk.amount.unwrap_or_default().micros();
            if at_risk.insert(Attempt::of(risk), amount).is_some() {
                wrong.push(format!("{:?} is at risk twice", Attempt::of(risk)));
            }
        }
        for (attempt, entry) in &self.entries {
            let share = at_risk.get(attempt).copied();
            let spent = match (share, entry.by_hand, entry.known) {
                (Some(_), ..) => None,
                (None, Some(charge), _) | (None, None, Known::Charged(charge)) => Some(charge),
                (None, None, _) => None,
            };
            let is_explained = entry.is_orphan || entry.known == Known::Uncertain;
            if share.is_some_and(|share| share != entry.price || !is_explained) {
                wrong.push(format!(
                    "{attempt:?} should not be at risk with {share:?}: {entry:?}"
                ));
            }
            if entry.billed > spent.or(share).unwrap_or_default() {
                wrong.push(format!("the bill of {attempt:?} is forgotten: {entry:?}"));
            }
            for scope in &entry.scopes {
                let sums = expected.entry(scope).or_default();
                sums.spent += spent.unwrap_or_default();
                sums.at_risk += share.unwrap_or_default();
                sums.calls += u64::from(spent.or(share).is_some());
            }
        }
        for (scope, sums) in sums {
            let expected = expected.get(&**scope).copied().unwrap_or_default();
            if *sums != expected {
                wrong.push(format!(
                    "`{scope}` has {sums:?}, and should have {expected:?}"
                ));
            }
        }
        wrong
    }
}
