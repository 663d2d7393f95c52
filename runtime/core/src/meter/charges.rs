//! The record of a call: what all its attempts did to the money, and what can still be settled.

use std::fmt;
use std::sync::Arc;

use crate::document::Operation;
use crate::interceptor::{CallRecord, Record};

use super::meter::Meter;
use crate::money::budget::AtRiskId;
use crate::money::credits::Credits;
use crate::money::outcome::Outcome;

/// The charges of a call so far. It is immutable: each attempt makes a new one.
#[derive(Clone)]
pub(crate) struct Charges {
    /// The billing status of all attempts together.
    pub(crate) outcome: Outcome,
    /// The billing status of the last attempt.
    pub(crate) last: Outcome,
    /// The cost that the last response reported.
    pub(crate) reported: Option<Credits>,
    meter: Meter,
    operation: &'static Operation,
    /// What attempts may have left at risk, in each of the budgets.
    lost: Vec<Arc<[AtRiskId]>>,
}

impl Charges {
    /// Returns the record before the next attempt.
    pub(crate) fn before(
        record: Option<&Record>,
        meter: &Meter,
        operation: &'static Operation,
    ) -> Self {
        let before = record.and_then(Self::of);
        before.cloned().unwrap_or_else(|| Self {
            outcome: Outcome::NotSent,
            last: Outcome::NotSent,
            reported: None,
            meter: meter.clone(),
            operation,
            lost: Vec::new(),
        })
    }

    /// Returns the record that the meter made, also among those of other interceptors.
    pub(crate) fn of(record: &Record) -> Option<&Self> {
        record.get()
    }

    /// Returns the record while the next attempt is in flight, or after it. `lost`: what it may have left at risk.
    pub(crate) fn then(
        mut self,
        outcome: Outcome,
        reported: Option<Credits>,
        lost: Option<Arc<[AtRiskId]>>,
    ) -> Self {
        self.last = outcome;
        self.outcome = self.outcome.then(outcome);
        self.reported = reported;
        self.lost.extend(lost);
        self
    }

    /// Returns the record of a call that a stored response ended.
    pub(super) fn stored(meter: &Meter, operation: &'static Operation) -> Self {
        let before = Self::before(None, meter, operation);
        before.then(Outcome::Stored, None, None)
    }

    /// Settles the earlier attempts as free: the next one is for the same work, and accounts for all of it.
    pub(crate) fn replace(&mut self) {
        if self.settle_as(None) {
            self.lost.clear();
            self.outcome = Outcome::NotSent;
        }
    }

    /// Settles what the call has at risk: all its attempts together were charged this much.
    pub(crate) fn settle(&self, charged: Credits) -> bool {
        self.settle_as(Some(charged))
    }

    /// Returns whether a budget of this process has an attempt at risk.
    fn is_at_risk(&self, lost: &[AtRiskId]) -> bool {
        let mut budgets = self.meter.budgets(self.operation).zip(lost);
        budgets.any(|(budget, id)| budget.has_at_risk(*id))
    }

    /// Settles the attempts that a budget still has at risk: a person may have settled others.
    fn settle_as(&self, charged: Option<Credits>) -> bool {
        let lost = self.lost.iter().filter(|lost| self.is_at_risk(lost));
        let lost: Vec<&Arc<[AtRiskId]>> = lost.collect();
        let mut is_settled = false;
        for (place, budget) in self.meter.budgets(self.operation).enumerate() {
            let attempts = lost.iter().filter_map(|lost| lost.get(place));
            let ids: Vec<AtRiskId> = attempts.copied().collect();
            is_settled |= !ids.is_empty() && budget.settle_lost(&ids, charged, is_settled);
        }
        is_settled
    }
}

/// Returns what a lost attempt may have cost. Zero is no price.
pub(crate) fn bound(price: Option<Credits>) -> Option<Credits> {
    price.filter(|price| *price > Credits::ZERO)
}

impl CallRecord for Charges {
    fn is_repeatable(&self) -> bool {
        !self.outcome.may_have_been_charged()
    }

    fn line(&self) -> String {
        match self.outcome {
            Outcome::NotSent => "charge: none, nothing was sent".to_owned(),
            Outcome::Stored => "charge: none, the response was stored".to_owned(),
            Outcome::Rejected => "charge: none, the service rejected the request".to_owned(),
            Outcome::Charged(credits) => format!("charge: {credits} credits"),
            Outcome::Unknown(Some(Credits::ZERO)) => "charge: none, the call is free".to_owned(),
            Outcome::Unknown(Some(credits)) => {
                format!("charge: unknown, at most {credits} credits")
            }
            Outcome::Unknown(None) => "charge: unknown".to_owned(),
        }
    }

    fn to_store(&self) -> Option<String> {
        match self.last {
            Outcome::Charged(credits) => Some(credits.to_string()),
            _ => None,
        }
    }
}

impl fmt::Debug for Charges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome.fmt(f)
    }
}
