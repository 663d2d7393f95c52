//! The record of a call: what all its attempts did to the money, and what can still be settled.

use std::fmt;
use std::sync::Arc;

use generated_client::interceptor::{CallRecord, Record};

use crate::account::ReservedRisk;
use crate::money::credits::Credits;
use crate::money::ledger::{AtRiskId, Ledger, Lost};
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
    risks: Risks,
    /// The same in the budget of the operation, if it has one.
    of_operation: Option<Risks>,
    /// The same in the account, if there is one.
    account_risks: Vec<ReservedRisk>,
    /// The credits that the attempt in flight leaves at risk in the account.
    lost: Option<ReservedRisk>,
}

/// The credits that a call has at risk in one ledger.
#[derive(Clone)]
pub(crate) struct Risks {
    ledger: Ledger,
    /// Of the attempts that ended.
    calls: Vec<AtRiskId>,
    /// The credits that the attempt in flight leaves at risk.
    lost: Option<Lost>,
}

impl Risks {
    fn new(ledger: &Ledger) -> Self {
        Self {
            ledger: ledger.clone(),
            calls: Vec::new(),
            lost: None,
        }
    }

    /// Returns whether the attempt in flight was lost.
    fn is_lost(&self) -> bool {
        self.lost.as_ref().is_some_and(|lost| lost.get().is_some())
    }

    /// Settles all of it: the call was charged this much; `None`: a later attempt accounts for it.
    fn settle(&self, charged: Option<Credits>) -> bool {
        let mut calls = self.calls.clone();
        calls.extend(self.lost.as_ref().and_then(|lost| lost.get()));
        match charged {
            _ if calls.is_empty() => false,
            Some(charged) => self.ledger.settle_all(&calls, charged),
            None => self.ledger.replace(&calls),
        }
    }
}

impl Charges {
    /// Returns the record before the next attempt.
    pub(crate) fn before(
        record: Option<&Record>,
        ledger: &Ledger,
        of_operation: Option<&Ledger>,
    ) -> Self {
        let before = record.and_then(Self::of);
        before.cloned().unwrap_or_else(|| Self {
            outcome: Outcome::NotSent,
            last: Outcome::NotSent,
            reported: None,
            risks: Risks::new(ledger),
            of_operation: of_operation.map(Risks::new),
            account_risks: Vec::new(),
            lost: None,
        })
    }

    /// Returns the record that the meter made, also among those of other interceptors.
    pub(crate) fn of(record: &Record) -> Option<&Self> {
        record.get()
    }

    /// Returns the record while the next attempt is in flight.
    pub(crate) fn in_flight(
        mut self,
        price: Option<Credits>,
        lost: Lost,
        of_operation: Option<Lost>,
        account_risks: Option<ReservedRisk>,
    ) -> Self {
        self.last = Outcome::Unknown(bound(price));
        self.outcome = self.outcome.then(self.last);
        self.reported = None;
        self.risks.lost = Some(lost);
        if let Some(risks) = &mut self.of_operation {
            risks.lost = of_operation;
        }
        self.lost = account_risks;
        self
    }

    /// Returns the record after an attempt.
    pub(crate) fn after(mut self, outcome: Outcome, reported: Option<Credits>) -> Self {
        self.last = outcome;
        self.outcome = self.outcome.then(outcome);
        self.reported = reported;
        self
    }

    /// Notes that an attempt has this much at risk.
    pub(crate) fn at_risk(
        &mut self,
        call: AtRiskId,
        of_operation: Option<AtRiskId>,
        account_risks: Option<ReservedRisk>,
    ) {
        self.risks.calls.push(call);
        if let Some(risks) = &mut self.of_operation {
            risks.calls.extend(of_operation);
        }
        self.account_risks.extend(account_risks);
    }

    /// Settles the earlier attempts as free: the next one is for the same work, and accounts for all of it.
    pub(crate) fn replace(&mut self) {
        if self.settle_as(None) {
            self.risks.calls.clear();
            if let Some(risks) = &mut self.of_operation {
                risks.calls.clear();
            }
            self.account_risks.clear();
            self.outcome = Outcome::NotSent;
        }
    }

    /// Settles what the call has at risk: all its attempts together were charged this much.
    pub(crate) fn settle(&self, charged: Credits) -> bool {
        self.settle_as(Some(charged))
    }

    fn settle_as(&self, charged: Option<Credits>) -> bool {
        let is_settled = self.risks.settle(charged);
        // A person may have settled the one and not the other.
        let of_operation = self.of_operation.as_ref();
        let is_settled_too = of_operation.is_some_and(|risks| risks.settle(charged));
        if is_settled {
            // The charged attempt is unknown; any of them gives the same sums.
            let charges = [charged.unwrap_or_default()]
                .into_iter()
                .chain(std::iter::repeat(Credits::ZERO));
            let lost = self.lost.as_ref().filter(|_| self.risks.is_lost());
            let account_risks = self.account_risks.iter().chain(lost);
            for (risk, charged) in account_risks.zip(charges) {
                risk.settle(charged);
            }
        }
        is_settled || is_settled_too
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
            Outcome::Rejected => "charge: none, the service rejected the request".to_owned(),
            Outcome::Charged(credits) => format!("charge: {credits} credits"),
            Outcome::Unknown(Some(Credits::ZERO)) => "charge: none, the call is free".to_owned(),
            Outcome::Unknown(Some(credits)) => {
                format!("charge: unknown, at most {credits} credits")
            }
            Outcome::Unknown(None) => "charge: unknown".to_owned(),
        }
    }
}

impl fmt::Debug for Charges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.outcome.fmt(f)
    }
}

/// Returns the record for the client runtime.
pub(crate) fn record(charges: Charges) -> Record {
    Arc::new(charges)
}
