//! One attempt, from its admission to its settlement.

use std::sync::Arc;

use crate::future::BoxFuture;
use crate::interceptor::{AttemptEnd, AttemptSpan, Guard, Record, Repetition, Settled};
use crate::request::Request;
use tracing::Span;

use super::billing::{bill, report};
use super::charges::{Charges, bound};
use super::meter::Meter;
use super::prices::{KnownPrice, Line};
use super::span;
use crate::document::tariff::Tariff;
use crate::money::budget::AtRiskId;
use crate::money::credits::Credits;
use crate::money::metered_budget::{Aftermath, Everywhere, MeteredBudget, Reserved, Settlement};
use crate::money::outcome::Outcome;
use crate::money::quote::PriceSource;

/// An attempt while it runs.
pub(super) struct Admitted {
    /// What it has reserved in each of its budgets, in the order in which they reserve.
    pub(super) reserved: Vec<Box<dyn Reserved>>,
    /// The ids that it has in each of them if it is lost, once it is sent.
    pub(super) ids: Arc<[AtRiskId]>,
    pub(super) line: Line,
    pub(super) known: KnownPrice,
    pub(super) meter: Meter,
}

impl Guard for Admitted {
    fn is_current(&self, request: &Request) -> bool {
        // Another call may have observed a new price.
        let now = self.meter.known_price(&self.line, request);
        // An attempt that cannot be recorded is asked for again, and refused.
        now.need.reserved == self.known.need.reserved
            && self
                .reserved
                .iter()
                .all(|reserved| reserved.note(self.known.is_free()))
    }

    fn span(&self, attempt: AttemptSpan<'_>) -> Option<Span> {
        let reserved = self.reserved.first()?.amount();
        let operation = attempt.operation;
        let is_known = self.known.source != PriceSource::Unknown;
        let span = span::open(attempt, is_known.then_some(reserved));
        if self.meter.budget().is_limited() {
            span::unknown_price(operation, self.known, reserved);
        }
        Some(span)
    }

    fn sent(&mut self, before: Option<&Record>) -> Option<Record> {
        self.hand_over();
        let before = Charges::before(before, &self.meter, self.line.operation());
        let outcome = Outcome::Unknown(bound(self.known.need.at_risk));
        let charges = before.then(outcome, None, Some(Arc::clone(&self.ids)));
        Some(Arc::new(charges))
    }

    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let Self {
            line, known, meter, ..
        } = &*self;
        let operation = line.operation();
        let member = Tariff::of(operation).charge.or(meter.charge());
        let reported = report(end.response, member);
        let bill = bill(end.response, end.retry_after, reported, meter.unbilled());
        let is_success = end
            .response
            .as_ref()
            .is_ok_and(|response| response.status().is_success());
        let is_first_price = meter.prices().note(line, reported, is_success);
        let is_free = known.is_free() && meter.prices().is_free(line);
        span::surprise(operation, *known, reported.credits());
        let mut charges = Charges::before(end.before, meter, operation);
        // Attempts with one key are one piece of work: the last one tells its cost, unless it was rejected or reports that it was free.
        if end.is_keyed && bill.outcome.may_have_been_charged() {
            charges.replace();
        }
        let outcome = match bill.outcome {
            Outcome::Unknown(_) => self.unknown(is_free),
            known => known,
        };
        let settlement = settlement(outcome);
        let lost = (settlement == Settlement::Risk).then(|| Arc::clone(&self.ids));
        let charges = charges.then(outcome, reported.credits(), lost);
        let aftermath = Aftermath {
            price: meter.shared_price(line),
            request_id: end.request_id,
        };
        let meter = meter.clone();
        let pending = self.settle(settlement, &aftermath);
        if is_first_price {
            meter.reprice(operation);
        }
        span::settled(end.span, outcome);
        let repetition = match bill {
            bill if bill.is_final => Repetition::Never,
            bill if bill.is_unbilled || is_free || end.is_keyed => Repetition::Free,
            _ => Repetition::Doubtful,
        };
        let is_rejected = matches!(
            bill.outcome,
            Outcome::Rejected | Outcome::Charged(Credits::ZERO)
        );
        Settled {
            record: Some(Arc::new(charges)),
            repetition,
            may_be_processed: !is_rejected,
            pending,
        }
    }
}

impl Admitted {
    /// Marks the request as handed to the transport, in all budgets.
    fn hand_over(&mut self) {
        self.ids = self.reserved.iter().map(|reserved| reserved.id()).collect();
        let everywhere = (self.ids.len() > 1).then(|| {
            let budgets = self.meter.budgets(self.line.operation());
            let settlers = budgets.map(MeteredBudget::settler);
            Everywhere(settlers.zip(self.ids.iter().copied()).collect())
        });
        for reserved in &mut self.reserved {
            reserved.hand_over(everywhere.clone());
        }
    }

    /// Returns the outcome of an attempt that may have been charged.
    fn unknown(&self, is_free: bool) -> Outcome {
        if is_free {
            return Outcome::Unknown(Some(Credits::ZERO));
        }
        let unpriced = self.known.unpriced(&self.line);
        let seen =
            unpriced.and_then(|arguments| self.meter.at_risk(self.line.operation(), &arguments));
        Outcome::Unknown(bound(seen.or(self.known.need.at_risk)))
    }

    /// Settles it in all budgets. The returned future waits briefly until other processes know.
    fn settle(
        mut self,
        settlement: Settlement,
        aftermath: &Aftermath,
    ) -> Option<BoxFuture<'static, ()>> {
        let reserved = std::mem::take(&mut self.reserved).into_iter().rev();
        let pending: Vec<_> = reserved
            .filter_map(|reserved| reserved.settle(settlement, aftermath))
            .collect();
        // Only an account has others who wait for it.
        pending.into_iter().next()
    }
}

fn settlement(outcome: Outcome) -> Settlement {
    match outcome {
        Outcome::NotSent | Outcome::Stored | Outcome::Rejected => Settlement::Refund,
        Outcome::Charged(credits) => Settlement::Charge(credits),
        // Of a free call.
        Outcome::Unknown(Some(Credits::ZERO)) => Settlement::Charge(Credits::ZERO),
        Outcome::Unknown(_) => Settlement::Risk,
    }
}

#[cfg(test)]
mod tests;
