//! Random limits of a tree of budgets, and random steps on it.

use proptest::prelude::*;

/// The parent of each budget: a root, two batches, a batch of the first batch.
pub(super) const PARENTS: [Option<usize>; 4] = [None, Some(0), Some(0), Some(1)];

#[derive(Debug, Clone)]
pub(super) enum Step {
    Reserve(usize, u64),
    /// Says what is at risk if the call is lost.
    Expect(usize, u64),
    HandOver(usize),
    Charge(usize, u64),
    Refund(usize),
    Risk(usize),
    Drop(usize),
    /// Drops one who waits.
    Cancel(usize),
    /// Stops polling until the next `Poll`; grants then stay unreceived.
    Hold,
    Poll,
    /// Settles one call that is at risk.
    Settle(usize, u64),
    /// Lowers what one call has at risk.
    Reprice(usize, u64),
    Raise(usize, u64),
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let budget = 0..PARENTS.len();
    let any = any::<usize>();
    let price = 0..12_u64;
    prop_oneof![
        8 => (budget.clone(), price.clone()).prop_map(|(budget, price)| Step::Reserve(budget, price)),
        2 => (any, price.clone()).prop_map(|(which, price)| Step::Expect(which, price)),
        2 => any.prop_map(Step::HandOver),
        2 => (any, price.clone()).prop_map(|(which, price)| Step::Charge(which, price)),
        2 => any.prop_map(Step::Refund),
        1 => any.prop_map(Step::Risk),
        2 => any.prop_map(Step::Drop),
        2 => any.prop_map(Step::Cancel),
        1 => Just(Step::Hold),
        1 => Just(Step::Poll),
        2 => (any, price.clone()).prop_map(|(which, price)| Step::Settle(which, price)),
        1 => (any, price.clone()).prop_map(|(which, price)| Step::Reprice(which, price)),
        1 => (budget, price).prop_map(|(budget, by)| Step::Raise(budget, by)),
    ]
}

pub(super) fn limits() -> impl Strategy<Value = (Option<u64>, [u64; 3])> {
    let limit = 0..40_u64;
    (
        proptest::option::weighted(0.8, limit.clone()),
        [limit.clone(), limit.clone(), limit],
    )
}
