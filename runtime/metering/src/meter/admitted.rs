//! One attempt, from its admission to its settlement.

use std::sync::Arc;

use generated_client::document::Operation;
use generated_client::interceptor::{
    Admission, AttemptEnd, AttemptSpan, Record, Repetition, Settled,
};
use generated_client::request::Request;
use tracing::Span;

use super::billing::{Billing, bill, report};
use super::charges::{Charges, bound, record};
use super::meter::Meter;
use super::prices::{KnownPrice, Line};
use super::span;
use super::tariff::Tariff;
use crate::account::{AccountReservation, Aftermath, ReservedRisk, Settlement};
use crate::money::credits::Credits;
use crate::money::ledger::{Lost, Reservation, Selected};
use crate::money::outcome::Outcome;
use crate::money::quote::PriceSource;
use crate::money::spend::SpendEvent;

/// An attempt while it runs.
pub(super) struct Admitted {
    pub(super) reserved: Reserved,
    /// The reservation in the account, if there is one.
    pub(super) in_account: Option<AccountReservation>,
}

/// Reservations of an attempt in ledgers. The fields are dropped in this order.
pub(super) struct Reserved {
    pub(super) reservation: Reservation,
    /// The reservation in the budget of the operation, if it has one.
    pub(super) of_operation: Option<Reservation>,
    /// Dropped after the reservations.
    pub(super) correction: Correction,
    pub(super) line: Line,
    pub(super) known: KnownPrice,
    pub(super) meter: Meter,
}

/// Corrects what the attempt has at risk if it was lost: its price may have been seen since that was computed.
#[derive(Default)]
pub(super) struct Correction(Option<Running>);

/// An attempt of unknown price that was started.
struct Running {
    meter: Meter,
    operation: &'static Operation,
    lost: Lost,
    of_operation: Option<Lost>,
}

impl Drop for Correction {
    fn drop(&mut self) {
        let Some(Running {
            meter,
            operation,
            lost,
            of_operation,
        }) = self.0.take()
        else {
            return;
        };
        let budget = meter.budget_of(operation);
        let budgets = budget.zip(of_operation.as_ref());
        for (ledger, lost) in [(meter.ledger(), &lost)].into_iter().chain(budgets) {
            if let Some(call) = lost.get() {
                ledger.reprice(Selected::Call(*call), |arguments| {
                    meter.at_risk(operation, arguments)
                });
            }
        }
    }
}

impl Admission for Admitted {
    fn is_current(&self, request: &Request) -> bool {
        let Reserved {
            reservation,
            line,
            known,
            meter,
            ..
        } = &self.reserved;
        // Another call may have observed a new price.
        let now = meter.known_price(line, request);
        // An attempt that cannot be recorded is asked for again, and refused.
        now.need.reserved == known.need.reserved && reservation.note(known.is_free())
    }

    fn span(&self, attempt: AttemptSpan<'_>) -> Option<Span> {
        let Reserved { known, meter, .. } = &self.reserved;
        let reserved = self.reserved.reservation.amount();
        let operation = attempt.operation;
        let is_known = known.source != PriceSource::Unknown;
        let span = span::open(attempt, is_known.then_some(reserved));
        if meter.ledger().is_limited() {
            span::unknown_price(operation, *known, reserved);
        }
        Some(span)
    }

    fn start(&mut self, before: Option<&Record>) -> Record {
        let account_risk = self.in_account.as_ref().map(AccountReservation::risk);
        let charges = self.reserved.start(before, account_risk);
        if let Some(in_account) = &mut self.in_account {
            in_account.hand_over();
        }
        record(charges)
    }

    fn watches(&self) -> Option<&'static str> {
        let tariff = Tariff::of(self.reserved.line.operation());
        tariff.charge.or(self.reserved.meter.charge())
    }

    fn end(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let reported = report(end.response, self.watches(), end.noticed);
        let Self {
            mut reserved,
            in_account,
        } = *self;
        let (line, known) = (reserved.line.clone(), reserved.known);
        let meter = reserved.meter.clone();
        let operation = line.operation();
        let bill = bill(end.response, end.retry_after, reported, meter.unbilled());
        let is_success = end
            .response
            .as_ref()
            .is_ok_and(|response| response.status().is_success());
        let is_first_price = meter.prices().note(&line, reported, is_success);
        let is_free = known.is_free() && meter.prices().is_free(&line);
        span::surprise(operation, known, reported.credits());
        for reservation in reserved.reservations() {
            reservation.request_id(end.request_id.clone());
        }
        let account_risk = in_account.as_ref().map(AccountReservation::risk);
        let budget = meter.budget_of(operation);
        let mut charges = Charges::before(end.before, meter.ledger(), budget);
        // Attempts with one key are one piece of work: the last one tells its cost, unless it was rejected or reports that it was free.
        let is_work = match bill.billing {
            Billing::AtRisk => true,
            Billing::Charged(credits) => credits > Credits::ZERO,
            Billing::NotSent | Billing::Rejected => false,
        };
        if end.is_keyed && is_work {
            charges.replace();
        }
        let Ending {
            settlement,
            outcome,
        } = reserved.settle(bill.billing, is_free, account_risk, &mut charges);
        if is_first_price {
            meter.reprice(operation);
        }
        let pending = in_account.map(|in_account| {
            let aftermath = Aftermath {
                went_through: end.pause.is_none(),
                cool_down: end.pause,
                price: meter.prices().shown(&line),
                request_id: end.request_id,
            };
            in_account.settle(settlement, aftermath)
        });
        meter.observe(operation, SpendEvent::of(outcome));
        span::settled(end.span, outcome);
        let repetition = match bill {
            bill if bill.is_final => Repetition::Never,
            bill if bill.is_unbilled || is_free || end.is_keyed => Repetition::Free,
            _ => Repetition::Doubtful,
        };
        let is_rejected = matches!(
            bill.billing,
            Billing::Rejected | Billing::Charged(Credits::ZERO)
        );
        let charges = charges.after(outcome, reported.credits());
        let mut settled = Settled::new(record(charges), repetition, is_rejected);
        settled.pending = pending.map(|pending| Box::pin(pending) as _);
        settled
    }
}

/// How the reservations of an attempt have ended.
struct Ending {
    settlement: Settlement,
    outcome: Outcome,
}

impl Reserved {
    fn reservations(&mut self) -> impl Iterator<Item = &mut Reservation> {
        [&mut self.reservation]
            .into_iter()
            .chain(&mut self.of_operation)
    }

    /// Marks the request as sent.
    fn start(&mut self, before: Option<&Record>, account_risk: Option<ReservedRisk>) -> Charges {
        let operation = self.line.operation();
        let lost = self.reservation.lost();
        let of_operation = self.of_operation.as_mut().map(Reservation::lost);
        let unpriced = self.known.unpriced(&self.line);
        self.correction.0 = unpriced.map(|_| Running {
            meter: self.meter.clone(),
            operation,
            lost: Arc::clone(&lost),
            of_operation: of_operation.clone(),
        });
        for reservation in self.reservations() {
            reservation.hand_over();
        }
        let budget = self.meter.budget_of(operation);
        let before = Charges::before(before, self.meter.ledger(), budget);
        before.in_flight(self.known.need.at_risk, lost, of_operation, account_risk)
    }

    /// Settles the reservations as a refund, a charge or at risk.
    fn settle(
        mut self,
        money: Billing,
        is_free: bool,
        account_risk: Option<ReservedRisk>,
        charges: &mut Charges,
    ) -> Ending {
        let unpriced = self.known.unpriced(&self.line);
        let operation = self.line.operation();
        let seen = unpriced.and_then(|arguments| self.meter.at_risk(operation, &arguments));
        let at_risk = seen.or(self.known.need.at_risk);
        for reservation in self.reservations() {
            reservation.if_lost(at_risk);
        }
        let settlement = match money {
            Billing::NotSent | Billing::Rejected => Settlement::Refund,
            Billing::Charged(credits) => Settlement::Charge(credits),
            Billing::AtRisk if is_free => Settlement::Charge(Credits::ZERO),
            Billing::AtRisk => Settlement::Risk,
        };
        let Self {
            reservation,
            of_operation,
            correction,
            ..
        } = self;
        match settlement {
            Settlement::Refund => {
                for reservation in of_operation.into_iter().chain([reservation]) {
                    reservation.refund();
                }
            }
            Settlement::Charge(credits) => {
                for reservation in of_operation.into_iter().chain([reservation]) {
                    reservation.charged(credits);
                }
            }
            Settlement::Risk => {
                let of_operation = of_operation.map(Reservation::at_risk);
                charges.at_risk(reservation.at_risk(), of_operation, account_risk);
            }
        }
        drop(correction);
        let outcome = match money {
            Billing::NotSent => Outcome::NotSent,
            Billing::Rejected => Outcome::Rejected,
            Billing::Charged(credits) => Outcome::Charged(credits),
            Billing::AtRisk if is_free => Outcome::Unknown(Some(Credits::ZERO)),
            Billing::AtRisk => Outcome::Unknown(bound(at_risk)),
        };
        Ending {
            settlement,
            outcome,
        }
    }
}

#[cfg(test)]
mod tests;
