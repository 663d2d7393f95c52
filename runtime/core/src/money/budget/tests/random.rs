//! Random sequences, compared with a simple reference model that adds up each event per budget.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;

use super::of;
use crate::money::budget::{AtRiskId, Budget, BudgetError, Reservation};

mod steps;

use steps::{PARENTS, Step, limits, step};

type Waiting = Pin<Box<dyn Future<Output = Result<Reservation, BudgetError>>>>;

struct Held {
    budget: usize,
    /// The arguments of the call, which no other one has.
    name: String,
    reservation: Reservation,
    price: u64,
    /// What is at risk if it is lost.
    at_risk: u64,
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

/// A call at risk: the budget that it drew on, and the amount.
struct AtRisk {
    id: AtRiskId,
    name: String,
    budget: usize,
    amount: u64,
}

struct Run {
    budgets: Vec<Budget>,
    limits: Vec<Option<u64>>,
    expected: [Expected; PARENTS.len()],
    waiting: Vec<(usize, u64, Waiting)>,
    held: Vec<Held>,
    at_risk: Vec<AtRisk>,
    receives: bool,
    granted: u64,
}

fn chain(budget: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(budget), |budget| PARENTS[*budget])
}

impl Run {
    fn new(root: Option<u64>, limits: [u64; 3]) -> Self {
        let mut budgets = vec![root.map_or_else(Budget::unlimited, |root| Budget::of(of(root)))];
        for (parent, limit) in PARENTS.into_iter().flatten().zip(limits) {
            budgets.push(budgets[parent].scoped(of(limit)));
        }
        Self {
            budgets,
            limits: std::iter::once(root).chain(limits.map(Some)).collect(),
            expected: Default::default(),
            waiting: Vec::new(),
            held: Vec::new(),
            at_risk: Vec::new(),
            receives: true,
            granted: 0,
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Reserve(budget, price) => {
                let asked = self.budgets[budget].clone();
                let mut future: Waiting = Box::pin(async move { asked.reserve(of(price)).await });
                let response = future
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()));
                let refused = matches!(response, Poll::Ready(Err(_)));
                assert_eq!(refused, !self.fits_at_best(budget, price), "{price}");
                match response {
                    Poll::Ready(response) => self.receive(budget, price, response),
                    Poll::Pending => self.waiting.push((budget, price, future)),
                }
            }
            Step::Expect(which, at_risk) => {
                if let Some(which) = which.checked_rem(self.held.len()) {
                    let held = &mut self.held[which];
                    held.reservation.at_risk = Some(of(at_risk));
                    held.at_risk = at_risk;
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
                    let excess = price.saturating_sub(held.price);
                    assert_eq!(held.reservation.charged(of(price)), excess > 0);
                    for at in chain(held.budget) {
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
                    let risk = AtRisk {
                        id: held.reservation.at_risk(),
                        name: held.name,
                        budget: held.budget,
                        amount: held.at_risk,
                    };
                    self.expect_risk(held.price, risk);
                }
            }
            Step::Drop(which) => {
                if let Some(held) = self.take_held(which) {
                    let id = held.reservation.id;
                    drop(held.reservation);
                    if held.handed_over {
                        let risk = AtRisk {
                            id,
                            name: held.name,
                            budget: held.budget,
                            amount: held.at_risk,
                        };
                        self.expect_risk(held.price, risk);
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
            Step::Settle(which, charged) => {
                if let Some(which) = which.checked_rem(self.at_risk.len()) {
                    let AtRisk {
                        id, budget, amount, ..
                    } = self.at_risk.remove(which);
                    assert!(self.budgets[budget].settle(id, of(charged)));
                    assert!(!self.budgets[budget].settle(id, of(charged)));
                    for at in chain(budget) {
                        let expected = &mut self.expected[at];
                        let excess = charged.saturating_sub(amount);
                        expected.at_risk -= amount;
                        expected.spent += charged;
                        expected.surprises += u64::from(excess > 0);
                        expected.excess += excess;
                    }
                }
            }
            Step::Reprice(which, price) => {
                if let Some(which) = which.checked_rem(self.at_risk.len()) {
                    let AtRisk {
                        name,
                        budget,
                        amount,
                        ..
                    } = &mut self.at_risk[which];
                    // Any budget of the tree may say it.
                    let of_call = |arguments: &str| (arguments == name).then(|| of(price));
                    self.budgets[0].node().reprice("", &of_call);
                    for at in chain(*budget) {
                        let expected = &mut self.expected[at];
                        expected.at_risk = expected.at_risk - *amount + price;
                        expected.excess += price.saturating_sub(*amount);
                    }
                    *amount = price;
                }
            }
            Step::Raise(budget, by) => {
                self.budgets[budget].raise(of(by));
                self.limits[budget] = self.limits[budget].map(|limit| limit + by);
            }
        }
        if self.receives {
            self.poll_all();
        }
    }

    /// Returns whether it would fit if all reservations were refunded.
    fn fits_at_best(&self, budget: usize, price: u64) -> bool {
        self.fits(budget, price, |at| {
            self.expected[at].spent + self.expected[at].at_risk
        })
    }

    fn fits_now(&self, budget: usize, price: u64) -> bool {
        let taken = |at: usize| {
            let usage = self.budgets[at].usage();
            usage.spent.micros() + usage.reserved.micros() + usage.at_risk.micros()
        };
        self.fits(budget, price, taken)
    }

    fn fits(&self, budget: usize, needed: u64, taken: impl Fn(usize) -> u64) -> bool {
        let is_in_bounds =
            |at: usize| self.limits[at].is_none_or(|limit| taken(at) + needed <= limit);
        needed == 0 || chain(budget).all(is_in_bounds)
    }

    fn take_held(&mut self, which: usize) -> Option<Held> {
        let which = which.checked_rem(self.held.len())?;
        Some(self.held.remove(which))
    }

    fn receive(&mut self, budget: usize, price: u64, response: Result<Reservation, BudgetError>) {
        let Ok(mut reservation) = response else {
            return;
        };
        self.granted += 1;
        let name = self.granted.to_string();
        reservation.call.unpriced = Some(name.clone());
        assert_eq!(reservation.amount(), of(price));
        self.held.push(Held {
            budget,
            name,
            reservation,
            price,
            at_risk: price,
            handed_over: false,
        });
    }

    fn poll_all(&mut self) {
        for (budget, price, mut future) in std::mem::take(&mut self.waiting) {
            match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(response) => self.receive(budget, price, response),
                Poll::Pending => self.waiting.push((budget, price, future)),
            }
        }
    }

    fn expect_risk(&mut self, reserved: u64, risk: AtRisk) {
        for at in chain(risk.budget) {
            self.expected[at].at_risk += risk.amount;
            self.expected[at].calls += 1;
            self.expected[at].excess += risk.amount.saturating_sub(reserved);
        }
        self.at_risk.push(risk);
        // In the order of their reservations.
        self.at_risk.sort_by_key(|risk| risk.id);
    }

    /// Checks the invariants after a step.
    fn check(&self) {
        for (at, budget) in self.budgets.iter().enumerate() {
            let usage = budget.usage();
            let expected = self.expected[at];
            assert_eq!(usage.limit.map(|limit| limit.micros()), self.limits[at]);
            assert_eq!(usage.spent.micros(), expected.spent, "spent in {at}");
            assert_eq!(usage.at_risk.micros(), expected.at_risk, "at risk in {at}");
            let listed = budget.at_risk();
            let own = self
                .at_risk
                .iter()
                .filter(|call| chain(call.budget).any(|id| id == at));
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
                .filter(|held| chain(held.budget).any(|id| id == at));
            let held: u64 = held.map(|held| held.price).sum();
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
            for (budget, price, _) in &self.waiting {
                assert!(self.fits_at_best(*budget, *price), "waits without hope");
            }
            if let Some((budget, price, _)) = self.waiting.first() {
                assert!(!self.fits_now(*budget, *price), "waits for nothing");
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
        for budget in &self.budgets {
            assert_eq!(budget.usage().reserved, of(0));
        }
    }
}

proptest! {
    #[test]
    fn the_budget_matches_the_reference_model_after_every_step(
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
    fn a_parent_holds_the_sum_of_its_batches(
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let mut run = Run::new(None, [30, 30, 20]);
        for step in steps {
            // Asks go to the leaves, so that a parent has nothing but its batches' share.
            run.step(match step {
                Step::Reserve(0 | 1, price) => Step::Reserve(3, price),
                step => step,
            });
            let sums = |at: usize| {
                let usage = run.budgets[at].usage();
                [usage.spent, usage.reserved, usage.at_risk].map(|amount| amount.micros())
            };
            prop_assert_eq!(sums(1), sums(3));
            let [left, right] = [sums(1), sums(2)];
            prop_assert_eq!(sums(0), std::array::from_fn(|i| left[i] + right[i]));
        }
    }
}
