//! Slices: what was spent of them, and what is left.

use std::sync::Arc;

use super::book::{Book, Done, Risk, Shares, after, minus, plus};
use crate::account::store::{Report, Reported};
use crate::money::credits::Credits;

impl Book {
    pub(super) fn report(&mut self, report: &Report) -> Reported {
        let id = &report.id;
        let lease = self.leases.get(id).cloned();
        let risk = self.risks.get(id).cloned();
        let is_lapsed = lease.is_none();
        let done = self.done(id);
        let reports = lease.as_ref().map(|lease| lease.reports);
        let reports = reports.or(risk.as_ref().map(|risk| risk.reports));
        if reports.is_some_and(|number| number >= report.number) {
            if let Some(lease) = self.leases.get_mut(id) {
                lease.until = after(report.lease);
            }
            return self.reported(is_lapsed);
        }
        if matches!(done, Some(Done::Slice(number)) if number >= report.number) {
            return self.reported(false);
        }
        if matches!(done, Some(Done::ByHand(_))) {
            let is_conflict = report.charged > Credits::ZERO;
            if is_conflict {
                self.contradict(id, Done::Slice(report.number));
            }
            return Reported {
                is_conflict,
                ..self.reported(true)
            };
        }
        let is_known = lease.is_some() || risk.is_some();
        if !is_known && done.is_none() {
            self.strays = self.strays.saturating_add(1);
        }
        let held = lease.as_ref().map(|lease| lease.shares.clone());
        let mut shares = held
            .or(risk.as_ref().map(|risk| risk.shares.clone()))
            .unwrap_or(Shares {
                scopes: Arc::clone(&report.scopes),
                amounts: Vec::new(),
            });
        shares.amounts.resize(shares.scopes.len(), Credits::ZERO);
        let lost = report.risks.iter().map(|risk| risk.amount);
        let taken = lost.fold(plus(report.charged, report.returned), plus);
        let left: Vec<_> = shares
            .amounts
            .iter()
            .map(|share| {
                if report.is_last {
                    Credits::ZERO
                } else if is_known {
                    // A charge above its reservation takes nothing from calls in flight.
                    minus(*share, taken).max(report.open)
                } else {
                    minus(*share, taken)
                }
            })
            .collect();
        let ended = risk.as_ref().is_some_and(|risk| risk.is_lapsed) && report.is_last;
        let calls = report.calls.saturating_add(report.risks.len() as u64);
        for ((scope, share), left) in shares.scopes.iter().zip(&shares.amounts).zip(&left) {
            let sums = self.sums(scope);
            let from = if is_lapsed {
                &mut sums.at_risk
            } else {
                &mut sums.reserved
            };
            // One step: a sum that has reached the largest amount may be below the share.
            *from = minus(plus(*from, minus(*left, *share)), minus(*share, *left));
            sums.spent = plus(sums.spent, report.charged);
            sums.calls = sums
                .calls
                .saturating_add(calls)
                .saturating_sub(ended.into());
            sums.surprises = sums.surprises.saturating_add(report.surprises);
        }
        for risk in &report.risks {
            let price = self.price(risk.line.as_ref());
            let own = Shares {
                scopes: Arc::clone(&shares.scopes),
                amounts: vec![price.unwrap_or(risk.amount); shares.scopes.len()],
            };
            self.add(&own, |sums| &mut sums.at_risk);
            let entry = Risk {
                line: risk.line.clone().filter(|_| price.is_none()),
                ..Risk::new(own, risk.label.clone(), false, self.clock)
            };
            self.risks.insert(risk.id.clone(), entry);
        }
        let scopes = Arc::clone(&shares.scopes);
        if report.is_last || !is_known {
            self.leases.remove(id);
            self.risks.remove(id);
            self.end(id.clone(), Done::Slice(report.number));
        } else if let Some(lease) = self.leases.get_mut(id) {
            lease.until = after(report.lease);
            lease.reports = report.number;
            lease.shares.amounts = left;
        } else if let Some(risk) = self.risks.get_mut(id) {
            risk.reports = report.number;
            risk.shares.amounts = left;
        }
        self.wake(&scopes);
        self.reported(is_lapsed)
    }

    fn reported(&self, is_lapsed: bool) -> Reported {
        let prices = self.prices.iter();
        Reported {
            is_lapsed,
            is_conflict: false,
            cool_down: self.cooling(),
            prices: prices.map(|(line, price)| (line.clone(), *price)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::account::id::ReservationId;
    use crate::account::memory::book::Lease;
    use crate::account::scope::Scope;
    use crate::account::store::LARGEST;
    use crate::account::usage::Label;

    /// Two slices of the largest amount make a sum of the same amount. Once one has ended, the sum is less than the share of the other.
    #[test]
    fn a_report_moves_a_sum_at_the_largest_amount_by_one_difference() {
        let scope = Scope {
            path: String::new(),
            window: None,
        };
        let scopes: Arc<[Scope]> = Arc::new([scope.clone()]);
        let mut book = Book::default();
        let slices = [(); 2].map(|()| ReservationId::unused());
        for id in &slices {
            let shares = Shares {
                scopes: Arc::clone(&scopes),
                amounts: vec![LARGEST],
            };
            book.add(&shares, |sums| &mut sums.reserved);
            let lease = Lease {
                draw: 1,
                reports: 0,
                last: shares.amounts.clone(),
                shares,
                label: Label::default(),
                open: None,
                until: after(Duration::from_secs(60)),
            };
            book.leases.insert(id.clone(), lease);
        }
        assert_eq!(book.sums(&scope).reserved, LARGEST);
        let one = Credits::from_micros(1);
        let report = |id: &ReservationId, number, is_last| Report {
            account: "".into(),
            id: id.clone(),
            number,
            scopes: Arc::clone(&scopes),
            charged: one,
            calls: 1,
            surprises: 0,
            risks: Vec::new(),
            returned: Credits::ZERO,
            open: Credits::ZERO,
            is_last,
            lease: Duration::from_secs(60),
        };
        let [first, second] = &slices;
        book.report(&report(first, 1, false));
        assert_eq!(book.sums(&scope).reserved, minus(LARGEST, one));
        book.report(&report(first, 2, true));
        assert_eq!(book.sums(&scope).reserved, Credits::ZERO);
        book.report(&report(second, 1, false));
        assert_eq!(book.sums(&scope).reserved, Credits::ZERO);
        assert_eq!(book.sums(&scope).spent, Credits::from_micros(3));
    }
}
