//! Random sequences, compared with a simple reference model that adds up each event per ledger.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;

use super::of;
use crate::money::ledger::{Amount, AtRiskId, BudgetError, Ledger, Reservation};

mod steps;

use steps::{PARENTS, Step, limits, step};

type Waiting = Pin<Box<dyn Future<Output = Result<Reservation, BudgetError>>>>;

struct Held {
    ledger: usize,
    ask: Amount,
    reservation: Reservation,
    /// The amount that each ledger reserved. `None`: unknown price and no limit, and therefore nothing reserved.
    shares: [Option<u64>; PARENTS.len()],
    handed_over: bool,
}

#[derive(Default, Clone, Copy)]
struct Expected {
    spent: u64,
    at_risk: u64,
    calls: u64,
    surprises: u64,
    /// By how much charges were above what was reserved.
    excess: u64,
}

/// A call at risk: the ledger that it drew on, and the amount that each ledger reserved.
struct AtRisk {
    id: AtRiskId,
    ledger: usize,
    shares: [Option<u64>; PARENTS.len()],
}

struct Run {
    ledgers: Vec<Ledger>,
    limits: Vec<Option<u64>>,
    expected: [Expected; PARENTS.len()],
    waiting: Vec<(usize, Amount, Waiting)>,
    held: Vec<Held>,
    at_risk: Vec<AtRisk>,
    receives: bool,
}

/// Returns the least amount that has to be left for it.
fn least(ask: Amount) -> u64 {
    match ask {
        Amount::Exactly(price) => price.micros(),
        Amount::UpTo(_) | Amount::AllThatIsLeft => 1,
    }
}

fn chain(ledger: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(ledger), |ledger| PARENTS[*ledger])
}

impl Run {
    fn new(root: Option<u64>, limits: [u64; 3]) -> Self {
        let mut ledgers =
            vec![root.map_or_else(Ledger::unlimited, |root| Ledger::with_budget(of(root)))];
        for (parent, limit) in PARENTS.into_iter().flatten().zip(limits) {
            ledgers.push(ledgers[parent].scoped(of(limit)));
        }
        Self {
            ledgers,
            limits: std::iter::once(root).chain(limits.map(Some)).collect(),
            expected: Default::default(),
            waiting: Vec::new(),
            held: Vec::new(),
            at_risk: Vec::new(),
            receives: true,
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Amount(ledger, ask) => {
                let asked = self.ledgers[ledger].clone();
                let mut future: Waiting = Box::pin(async move { asked.reserve(ask).await });
                let response = future
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()));
                let refused = matches!(response, Poll::Ready(Err(_)));
                assert_eq!(refused, !self.fits_at_best(ledger, ask), "{ask:?}");
                match response {
                    Poll::Ready(response) => self.receive(ledger, ask, response),
                    Poll::Pending => self.waiting.push((ledger, ask, future)),
                }
            }
            Step::HandOver(which) => {
                if let Some(which) = which.checked_rem(self.held.len()) {
                    self.held[which].reservation.hand_over();
                    self.held[which].handed_over = true;
                }
            }
            Step::Charge(which, price) => {
                if let Some(held) = self.take_held(which) {
                    let excess = |at: usize| {
                        let share: Option<u64> = held.shares[at];
                        share.map_or(0, |share| price.saturating_sub(share))
                    };
                    let is_surprise = chain(held.ledger).any(|at| excess(at) > 0);
                    assert_eq!(held.reservation.charged(of(price)), is_surprise);
                    for at in chain(held.ledger) {
                        let excess = excess(at);
                        self.expected[at].spent += price;
                        self.expected[at].calls += 1;
                        self.expected[at].surprises += u64::from(excess > 0);
                        self.expected[at].excess += excess;
                    }
                }
            }
            Step::Refund(which) => {
                if let Some(held) = self.take_held(which) {
                    held.reservation.refund();
                }
            }
            Step::Risk(which) => {
                if let Some(held) = self.take_held(which) {
                    let (ledger, shares) = (held.ledger, self.lost_shares(&held));
                    let id = held.reservation.at_risk();
                    self.expect_risk(ledger, shares, id);
                }
            }
            Step::Drop(which) => {
                if let Some(held) = self.take_held(which) {
                    let ledger = held.ledger;
                    let shares = held.handed_over.then(|| self.lost_shares(&held));
                    drop(held.reservation);
                    if let Some(shares) = shares {
                        let listed = self.ledgers[ledger].at_risk();
                        let newest = listed.into_iter().map(|call| call.id).max();
                        self.expect_risk(ledger, shares, newest.unwrap());
                    }
                }
            }
            Step::Cancel(which) => {
                if let Some(which) = which.checked_rem(self.waiting.len()) {
                    drop(self.waiting.remove(which));
                }
            }
            Step::Hold => self.receives = false,
            Step::Poll => self.receives = true,
            Step::Reconcile(ledger, charged) => {
                self.ledgers[ledger].reconcile(of(charged));
                self.expect_reconciled(ledger, charged);
            }
            Step::Settle(which, charged) => {
                if let Some(which) = which.checked_rem(self.at_risk.len()) {
                    let AtRisk { id, ledger, shares } = self.at_risk.remove(which);
                    assert!(self.ledgers[ledger].settle(id, of(charged)));
                    assert!(!self.ledgers[ledger].settle(id, of(charged)));
                    for at in chain(ledger) {
                        let expected = &mut self.expected[at];
                        let excess = shares[at].map_or(0, |share| charged.saturating_sub(share));
                        expected.at_risk -= shares[at].unwrap_or(0);
                        expected.spent += charged;
                        expected.surprises += u64::from(excess > 0);
                        expected.excess += excess;
                    }
                }
            }
            Step::Reprice(which, price) => {
                if let Some(which) = which.checked_rem(self.at_risk.len()) {
                    let AtRisk { id, ledger, shares } = &mut self.at_risk[which];
                    // Any ledger of the tree may say it.
                    self.ledgers[0].reprice(*id, of(price));
                    for at in chain(*ledger) {
                        if let Some(share) = &mut shares[at] {
                            let expected = &mut self.expected[at];
                            expected.at_risk = expected.at_risk - *share + price;
                            expected.excess += price.saturating_sub(*share);
                            *share = price;
                        }
                    }
                }
            }
            Step::Raise(ledger, by) => {
                self.ledgers[ledger].raise(of(by));
                self.limits[ledger] = self.limits[ledger].map(|limit| limit + by);
            }
        }
        if self.receives {
            self.poll_all();
        }
    }

    /// Returns whether it would fit if all reservations were refunded.
    fn fits_at_best(&self, ledger: usize, ask: Amount) -> bool {
        self.fits(ledger, least(ask), |at| {
            self.expected[at].spent + self.expected[at].at_risk
        })
    }

    fn fits_now(&self, ledger: usize, ask: Amount) -> bool {
        let taken = |at: usize| {
            let usage = self.ledgers[at].usage();
            usage.spent.micros() + usage.reserved.micros() + usage.at_risk.micros()
        };
        let takes_rest = |at: usize| match (ask, self.limits[at]) {
            (Amount::Exactly(_), _) | (_, None) => false,
            (Amount::UpTo(bound), Some(limit)) => limit < taken(at) + bound.micros(),
            (Amount::AllThatIsLeft, Some(_)) => true,
        };
        let has_company = |at: usize| takes_rest(at) && self.ledgers[at].usage().reserved > of(0);
        !chain(ledger).any(has_company) && self.fits(ledger, least(ask), taken)
    }

    fn fits(&self, ledger: usize, needed: u64, taken: impl Fn(usize) -> u64) -> bool {
        let is_in_bounds =
            |at: usize| self.limits[at].is_none_or(|limit| taken(at) + needed <= limit);
        needed == 0 || chain(ledger).all(is_in_bounds)
    }

    fn take_held(&mut self, which: usize) -> Option<Held> {
        let which = which.checked_rem(self.held.len())?;
        Some(self.held.remove(which))
    }

    fn receive(&mut self, ledger: usize, ask: Amount, response: Result<Reservation, BudgetError>) {
        let Ok(reservation) = response else {
            return;
        };
        let amount = reservation.amount().unwrap_or_default().micros();
        let bounded =
            ask != Amount::AllThatIsLeft || chain(ledger).any(|at| self.limits[at].is_some());
        assert!(amount > 0 || ask == Amount::Exactly(of(0)) || !bounded);
        let share = |at: usize| {
            let share = reservation.share(&self.ledgers[at]);
            share.map(|share| share.micros())
        };
        let shares = std::array::from_fn(share);
        for at in chain(ledger) {
            match ask {
                Amount::Exactly(price) => assert_eq!(shares[at], Some(price.micros())),
                Amount::UpTo(bound) => {
                    assert!(shares[at].is_some_and(|share| share <= bound.micros()))
                }
                // It runs alone: its share is the limit minus spent and at risk.
                Amount::AllThatIsLeft => {
                    assert_eq!(shares[at].is_some(), self.limits[at].is_some());
                }
            }
        }
        self.held.push(Held {
            ledger,
            ask,
            reservation,
            shares,
            handed_over: false,
        });
    }

    /// Returns the amounts at risk if a call is lost; for an estimate, all of it.
    fn lost_shares(&mut self, held: &Held) -> [Option<u64>; PARENTS.len()] {
        let mut shares = held.shares;
        if let Amount::UpTo(bound) = held.ask {
            for at in chain(held.ledger) {
                let share = shares[at].replace(bound.micros()).unwrap();
                self.expected[at].excess += bound.micros() - share;
            }
        }
        shares
    }

    fn poll_all(&mut self) {
        for (ledger, ask, mut future) in std::mem::take(&mut self.waiting) {
            match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(response) => self.receive(ledger, ask, response),
                Poll::Pending => self.waiting.push((ledger, ask, future)),
            }
        }
    }

    fn expect_risk(&mut self, ledger: usize, shares: [Option<u64>; PARENTS.len()], id: AtRiskId) {
        for at in chain(ledger) {
            self.expected[at].at_risk += shares[at].unwrap_or(0);
            self.expected[at].calls += 1;
        }
        self.at_risk.push(AtRisk { id, ledger, shares });
    }

    fn expect_reconciled(&mut self, ledger: usize, charged: u64) {
        let is_below = |below: usize| chain(below).any(|at| at == ledger);
        let risks = self.at_risk.extract_if(.., |call| is_below(call.ledger));
        let risks: Vec<AtRisk> = risks.collect();
        for at in chain(ledger) {
            let known: u64 = risks.iter().map(|call| call.shares[at].unwrap_or(0)).sum();
            let expected = &mut self.expected[at];
            expected.at_risk -= known;
            expected.spent += charged;
            expected.surprises += u64::from(charged > known);
            expected.excess += charged.saturating_sub(known);
        }
        for below in (0..PARENTS.len()).filter(|below| *below != ledger && is_below(*below)) {
            let expected = &mut self.expected[below];
            expected.spent += expected.at_risk.min(charged);
            expected.at_risk = 0;
        }
    }

    /// Checks the invariants after a step.
    fn check(&self) {
        for (at, ledger) in self.ledgers.iter().enumerate() {
            let usage = ledger.usage();
            let expected = self.expected[at];
            assert_eq!(usage.limit.map(|limit| limit.micros()), self.limits[at]);
            assert_eq!(usage.spent.micros(), expected.spent, "spent in {at}");
            assert_eq!(usage.at_risk.micros(), expected.at_risk, "at risk in {at}");
            let listed = ledger.at_risk();
            let own = self
                .at_risk
                .iter()
                .filter(|call| chain(call.ledger).any(|id| id == at));
            assert!(
                listed
                    .iter()
                    .map(|call| call.id)
                    .eq(own.map(|call| call.id)),
                "listed in {at}"
            );
            assert_eq!(usage.calls, expected.calls, "calls in {at}");
            assert_eq!(usage.surprises, expected.surprises, "surprises in {at}");

            // Grants that no waiter has received yet are reserved as well.
            let held = self
                .held
                .iter()
                .filter(|held| chain(held.ledger).any(|id| id == at));
            let held: u64 = held.map(|held| held.shares[at].unwrap_or(0)).sum();
            let reserved = usage.reserved.micros();
            assert!(reserved >= held, "reserved in {at}");
            if self.receives {
                assert_eq!(reserved, held, "reserved in {at}");
            }
            if let Some(limit) = self.limits[at] {
                let taken = usage.spent.micros() + reserved + usage.at_risk.micros();
                assert!(
                    taken <= limit + expected.excess,
                    "{taken} of {limit} taken in {at}"
                );
            }
        }
        if self.receives {
            for (ledger, ask, _) in &self.waiting {
                assert!(self.fits_at_best(*ledger, *ask), "waits without hope");
            }
            if let Some((ledger, ask, _)) = self.waiting.first() {
                assert!(!self.fits_now(*ledger, *ask), "waits for nothing");
            }
        }
    }

    /// Drops everything that is left, in either order.
    fn end(mut self, waiters_first: bool) {
        if waiters_first {
            self.waiting.clear();
        }
        while let Some(held) = self.held.pop() {
            drop(held.reservation);
            if !waiters_first {
                self.poll_all();
            }
        }
        self.waiting.clear();
        for ledger in &self.ledgers {
            assert_eq!(ledger.usage().reserved, of(0));
        }
    }
}

proptest! {
    #[test]
    fn the_ledger_matches_the_reference_model_after_every_step(
        (root, batches) in limits(),
        steps in prop::collection::vec(step(), 0..60),
        waiters_first: bool,
    ) {
        let mut run = Run::new(root, batches);
        for step in steps {
            run.step(step);
            run.check();
        }
        run.end(waiters_first);
    }

    #[test]
    fn unless_a_parent_is_reconciled_it_holds_the_sum_of_its_batches(
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let mut run = Run::new(None, [30, 30, 20]);
        for step in steps {
            // Asks and reconciliations go to the leaves, so that a parent has nothing but its batches' share.
            run.step(match step {
                Step::Amount(0 | 1, ask @ Amount::Exactly(_)) => Step::Amount(3, ask),
                // For an unknown price each ledger sets its own remainder aside.
                Step::Amount(_, Amount::UpTo(_) | Amount::AllThatIsLeft) => Step::Poll,
                Step::Reconcile(0 | 1, charged) => Step::Reconcile(3, charged),
                step => step,
            });
            let sums = |at: usize| {
                let usage = run.ledgers[at].usage();
                [usage.spent, usage.reserved, usage.at_risk].map(|amount| amount.micros())
            };
            prop_assert_eq!(sums(1), sums(3));
            let [left, right] = [sums(1), sums(2)];
            prop_assert_eq!(sums(0), std::array::from_fn(|i| left[i] + right[i]));
        }
    }
}
