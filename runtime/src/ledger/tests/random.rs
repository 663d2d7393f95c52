//! Random sequences against a second bookkeeping that is too simple to be wrong: it adds up, ledger by ledger, what each event means.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;

use super::of;
use crate::ledger::{Ask, BudgetError, Ledger, Reservation};

/// Which ledger each one is scoped from: a root, two batches, a batch of the first batch.
const PARENTS: [Option<usize>; 4] = [None, Some(0), Some(0), Some(1)];

#[derive(Debug, Clone)]
enum Step {
    Ask(usize, Option<u64>),
    HandOver(usize),
    Charge(usize, u64),
    Refund(usize),
    Risk(usize),
    Drop(usize),
    /// Drops one who waits.
    Cancel(usize),
    /// Polls nobody until the next `Poll`, so that grants pile up unreceived.
    Hold,
    Poll,
    Reconcile(usize, u64),
}

fn step() -> impl Strategy<Value = Step> {
    let ledger = 0..PARENTS.len();
    let any = any::<usize>();
    let price = 0..12_u64;
    prop_oneof![
        6 => (ledger.clone(), price.clone()).prop_map(|(ledger, price)| Step::Ask(ledger, Some(price))),
        2 => ledger.clone().prop_map(|ledger| Step::Ask(ledger, None)),
        2 => any.prop_map(Step::HandOver),
        2 => (any, price.clone()).prop_map(|(which, price)| Step::Charge(which, price)),
        2 => any.prop_map(Step::Refund),
        1 => any.prop_map(Step::Risk),
        2 => any.prop_map(Step::Drop),
        2 => any.prop_map(Step::Cancel),
        1 => Just(Step::Hold),
        1 => Just(Step::Poll),
        1 => (ledger, price).prop_map(|(ledger, price)| Step::Reconcile(ledger, price)),
    ]
}

fn limits() -> impl Strategy<Value = (Option<u64>, [u64; 3])> {
    let limit = 0..40_u64;
    (
        proptest::option::weighted(0.8, limit.clone()),
        [limit.clone(), limit.clone(), limit],
    )
}

type Waiting = Pin<Box<dyn Future<Output = Result<Reservation, BudgetError>>>>;

struct Held {
    ledger: usize,
    reservation: Reservation,
    /// `None`: of any amount, for there was no limit.
    agreed: Option<u64>,
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

struct Run {
    ledgers: Vec<Ledger>,
    limits: Vec<Option<u64>>,
    expected: [Expected; PARENTS.len()],
    waiting: Vec<(usize, Option<u64>, Waiting)>,
    held: Vec<Held>,
    receives: bool,
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
            receives: true,
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Ask(ledger, price) => {
                let asked = self.ledgers[ledger].clone();
                let ask = price.map_or(Ask::AllThatIsLeft, |price| Ask::Exactly(of(price)));
                let mut future: Waiting = Box::pin(async move { asked.reserve(ask).await });
                let answer = future
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()));
                let refused = matches!(answer, Poll::Ready(Err(_)));
                assert_eq!(refused, !self.fits_at_best(ledger, price), "{ask:?}");
                match answer {
                    Poll::Ready(answer) => self.receive(ledger, price, answer),
                    Poll::Pending => self.waiting.push((ledger, price, future)),
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
                    let excess = held.agreed.map_or(0, |agreed| price.saturating_sub(agreed));
                    assert_eq!(held.reservation.charged(of(price)), excess > 0);
                    for at in chain(held.ledger) {
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
                    self.expect_risk(&held);
                    held.reservation.at_risk();
                }
            }
            Step::Drop(which) => {
                if let Some(held) = self.take_held(which) {
                    if held.handed_over {
                        self.expect_risk(&held);
                    }
                    drop(held.reservation);
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
        }
        if self.receives {
            self.poll_all();
        }
    }

    /// Whether it would fit, were everything refunded that is reserved.
    fn fits_at_best(&self, ledger: usize, price: Option<u64>) -> bool {
        self.fits(ledger, price, |at| {
            self.expected[at].spent + self.expected[at].at_risk
        })
    }

    fn fits_now(&self, ledger: usize, price: Option<u64>) -> bool {
        self.fits(ledger, price, |at| {
            let usage = self.ledgers[at].usage();
            usage.spent.micros() + usage.reserved.micros() + usage.at_risk.micros()
        })
    }

    fn fits(&self, ledger: usize, price: Option<u64>, taken: impl Fn(usize) -> u64) -> bool {
        let needed = price.unwrap_or(1);
        let is_in_bounds =
            |at: usize| self.limits[at].is_none_or(|limit| taken(at) + needed <= limit);
        needed == 0 || chain(ledger).all(is_in_bounds)
    }

    fn take_held(&mut self, which: usize) -> Option<Held> {
        let which = which.checked_rem(self.held.len())?;
        Some(self.held.remove(which))
    }

    fn receive(
        &mut self,
        ledger: usize,
        price: Option<u64>,
        answer: Result<Reservation, BudgetError>,
    ) {
        let Ok(reservation) = answer else {
            return;
        };
        let amount = reservation.amount().unwrap_or_default().micros();
        if let Some(price) = price {
            assert_eq!(amount, price);
        }
        let bounded = price.is_some() || chain(ledger).any(|at| self.limits[at].is_some());
        assert!(amount > 0 || price == Some(0) || !bounded);
        self.held.push(Held {
            ledger,
            reservation,
            agreed: bounded.then_some(amount),
            handed_over: false,
        });
    }

    fn poll_all(&mut self) {
        for (ledger, price, mut future) in std::mem::take(&mut self.waiting) {
            match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(answer) => self.receive(ledger, price, answer),
                Poll::Pending => self.waiting.push((ledger, price, future)),
            }
        }
    }

    fn expect_risk(&mut self, held: &Held) {
        for at in chain(held.ledger) {
            self.expected[at].at_risk += held.agreed.unwrap_or(0);
            self.expected[at].calls += 1;
        }
    }

    fn expect_reconciled(&mut self, ledger: usize, charged: u64) {
        let known = self.expected[ledger].at_risk;
        for at in chain(ledger) {
            let expected = &mut self.expected[at];
            expected.at_risk -= known;
            expected.spent += charged;
            expected.surprises += u64::from(charged > known);
            expected.excess += charged.saturating_sub(known);
        }
        for below in (0..PARENTS.len()).filter(|below| chain(*below).skip(1).any(|at| at == ledger))
        {
            let expected = &mut self.expected[below];
            expected.spent += expected.at_risk.min(charged);
            expected.at_risk = 0;
        }
    }

    /// What holds after every step.
    fn check(&self) {
        for (at, ledger) in self.ledgers.iter().enumerate() {
            let usage = ledger.usage();
            let expected = self.expected[at];
            assert_eq!(usage.limit.map(|limit| limit.micros()), self.limits[at]);
            assert_eq!(usage.spent.micros(), expected.spent, "spent in {at}");
            assert_eq!(usage.at_risk.micros(), expected.at_risk, "at risk in {at}");
            assert_eq!(usage.calls, expected.calls, "calls in {at}");
            assert_eq!(usage.surprises, expected.surprises, "surprises in {at}");

            // Grants that nobody has received yet are reserved as well.
            let held = self
                .held
                .iter()
                .filter(|held| chain(held.ledger).any(|id| id == at));
            let held: u64 = held
                .map(|held| held.reservation.amount().unwrap_or_default().micros())
                .sum();
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
            for (ledger, price, _) in &self.waiting {
                assert!(self.fits_at_best(*ledger, *price), "waits without hope");
            }
            if let Some((ledger, price, _)) = self.waiting.first() {
                assert!(!self.fits_now(*ledger, *price), "waits for nothing");
            }
        }
    }

    /// Whatever is left is dropped, in whichever order.
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
    fn every_step_means_what_its_events_add_up_to(
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
                Step::Ask(0 | 1, price) => Step::Ask(3, price),
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
