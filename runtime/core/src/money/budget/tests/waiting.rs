use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use tokio::task::{JoinHandle, yield_now};

use super::of;
use crate::money::budget::{Budget, BudgetError, Reservation};
use crate::money::credits::Credits;

/// Returns `[spent, reserved, at_risk]`.
fn sums(budget: &Budget) -> [u64; 3] {
    let usage = budget.usage();
    [usage.spent, usage.reserved, usage.at_risk].map(|amount| amount.micros())
}

async fn reserve(budget: &Budget, micros: u64) -> Reservation {
    budget.reserve(of(micros)).await.unwrap()
}

fn risk(reservation: Reservation) {
    reservation.at_risk();
}

fn charge_three(reservation: Reservation) {
    reservation.charged(of(3));
}

type Waiting = JoinHandle<Result<Reservation, BudgetError>>;

/// Returns a task that has requested a reservation, polled until it waits or ends.
async fn asking(budget: &Budget, price: Credits) -> Waiting {
    let budget = budget.clone();
    let task = tokio::spawn(async move { budget.reserve(price).await });
    settle_down().await;
    task
}

async fn settle_down() {
    for _ in 0..10 {
        yield_now().await;
    }
}

async fn granted(task: Waiting) -> Reservation {
    settle_down().await;
    assert!(task.is_finished(), "still waiting");
    task.await.unwrap().unwrap()
}

#[test]
fn budgets_and_reservations_can_cross_threads() {
    fn is_sent<T: Send + Sync>(_: &T) {}
    let budget = Budget::default();
    is_sent(&budget);
    let future = budget.reserve(of(1));
    is_sent(&future);
    is_sent(&Poll::<Reservation>::Pending);
}

#[tokio::test]
async fn a_waiter_is_refused_when_the_credits_are_spent() {
    let budget = Budget::of(of(10));
    for settle in [charge_three as fn(Reservation), risk, |mut held| {
        held.hand_over()
    }] {
        let batch = budget.scoped(of(3));
        let held = reserve(&batch, 3).await;
        let task = asking(&batch, of(1)).await;
        assert!(!task.is_finished());
        settle(held);
        settle_down().await;
        assert!(task.is_finished(), "still waiting");
        let error = task.await.unwrap().unwrap_err();
        assert_eq!((error.levels_up, error.limit), (0, of(3)));
    }
    assert_eq!(sums(&budget), [3, 0, 6]);
}

#[tokio::test]
async fn a_free_call_passes_even_when_the_budget_is_overdrawn() {
    let budget = Budget::of(of(1));
    assert!(reserve(&budget, 1).await.charged(of(5)));
    assert!(budget.reserve(of(1)).await.is_err());
    assert!(!reserve(&budget, 0).await.charged(of(0)));
}

#[tokio::test]
async fn a_cancelled_waiter_takes_nothing_and_lets_the_next_pass() {
    let budget = Budget::of(of(10));
    let held = reserve(&budget, 5).await;
    let large = asking(&budget, of(9)).await;
    let small = asking(&budget, of(2)).await;
    assert!(!small.is_finished());
    large.abort();
    let small = granted(small).await;
    assert_eq!(sums(&budget), [0, 7, 0]);
    drop((held, small));
    assert_eq!(sums(&budget), [0, 0, 0]);
}

#[tokio::test]
async fn a_waiter_that_is_cancelled_between_grant_and_wake_is_refunded() {
    let budget = Budget::of(of(10));
    let held = reserve(&budget, 10).await;
    let mut first = Box::pin(budget.reserve(of(10)));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    let second = asking(&budget, of(10)).await;
    held.refund();
    assert_eq!(sums(&budget), [0, 10, 0]);
    assert!(!second.is_finished());
    drop(first);
    assert_eq!(granted(second).await.amount(), of(10));
}

#[tokio::test]
async fn a_dropped_reservation_is_a_refund_before_the_hand_over_and_a_risk_after_it() {
    let budget = Budget::of(of(10));
    drop(reserve(&budget, 4).await);
    assert_eq!(sums(&budget), [0, 0, 0]);
    assert_eq!(budget.usage().calls, 0);
    let mut reservation = reserve(&budget, 4).await;
    reservation.hand_over();
    drop(reservation);
    assert_eq!(sums(&budget), [0, 0, 4]);
    assert_eq!(budget.usage().calls, 1);
}

#[tokio::test]
async fn a_panic_settles_what_it_interrupts() {
    let budget = Budget::of(of(10));
    for (hand_over, expected) in [(false, [0, 0, 0]), (true, [0, 0, 4])] {
        let budget_of_task = budget.clone();
        let task = tokio::spawn(async move {
            let mut reservation = reserve(&budget_of_task, 4).await;
            if hand_over {
                reservation.hand_over();
            }
            panic!("while holding a reservation");
        });
        assert!(task.await.unwrap_err().is_panic());
        assert_eq!(sums(&budget), expected);
    }
    assert_eq!(reserve(&budget, 6).await.amount(), of(6));
}

#[tokio::test]
async fn a_waker_that_panics_costs_no_other_waiter_credits_or_a_verdict() {
    struct Bomb;
    impl Wake for Bomb {
        fn wake(self: Arc<Self>) {
            panic!("in a waker");
        }
    }
    let budget = Budget::of(of(10));
    let held = reserve(&budget, 10).await;
    let bomb = Waker::from(Arc::new(Bomb));
    {
        let mut first = pin!(budget.reserve(of(5)));
        let mut context = Context::from_waker(&bomb);
        assert!(first.as_mut().poll(&mut context).is_pending());
        let second = asking(&budget, of(5)).await;
        assert!(catch_unwind(AssertUnwindSafe(|| held.refund())).is_err());
        // The panic dropped the second waiter's verdict; the waiter requests again.
        assert_eq!(granted(second).await.amount(), of(5));
        assert_eq!(first.await.unwrap().amount(), of(5));
    }
    assert_eq!(sums(&budget), [0, 0, 0]);
}

#[tokio::test]
async fn a_batch_shares_the_limit_of_the_budget_that_it_is_scoped_from() {
    let budget = Budget::of(of(10));
    let [left, right] = [8, 8].map(|limit| budget.scoped(of(limit)));
    let held = reserve(&left, 7).await;
    let task = asking(&right, of(4)).await;
    assert!(!task.is_finished());
    assert_eq!(
        [&budget, &left, &right].map(sums),
        [[0, 7, 0], [0, 7, 0], [0, 0, 0]]
    );
    held.charged(of(6));
    granted(task).await.charged(of(4));
    assert_eq!(
        [&budget, &left, &right].map(sums),
        [[10, 0, 0], [6, 0, 0], [4, 0, 0]]
    );
    let error = left.reserve(of(1)).await.unwrap_err();
    assert_eq!((error.levels_up, error.limit), (1, of(10)));
}

#[tokio::test]
async fn a_reservation_outlives_the_handles_of_its_budget() {
    let budget = Budget::of(of(10));
    let batch = budget.scoped(of(5)).scoped(of(5));
    let mut reservation = reserve(&batch, 5).await;
    drop(batch);
    reservation.hand_over();
    assert_eq!(sums(&budget), [0, 5, 0]);
    drop(reservation);
    assert_eq!(sums(&budget), [0, 0, 5]);
    assert!(budget.settle(budget.at_risk()[0].id, of(2)));
    assert_eq!(sums(&budget), [2, 0, 0]);
}

#[tokio::test]
async fn debug_output_shows_the_numbers() {
    let budget = Budget::of(of(10));
    let reservation = reserve(&budget, 4).await;
    assert!(format!("{budget:?}").contains("reserved: 0.000004"));
    assert_eq!(
        format!("{reservation:?}"),
        "Reservation { amount: 0.000004, stage: Held, .. }"
    );
}

#[tokio::test]
async fn a_call_at_risk_is_settled_in_its_own_budget_only() {
    let [one, other] = [of(10), of(10)].map(Budget::of);
    let call = reserve(&one, 4).await.at_risk();
    reserve(&other, 5).await.at_risk();
    assert!(!other.settle(call, of(0)));
    assert!(one.settle(call, of(0)));
    assert_eq!((sums(&one), sums(&other)), ([0, 0, 0], [0, 0, 5]));
}

#[tokio::test]
async fn waiters_are_served_in_their_order() {
    let budget = Budget::of(of(10));
    let held = reserve(&budget, 10).await;
    let large = asking(&budget, of(9)).await;
    let small = asking(&budget, of(3)).await;
    let rest = asking(&budget, of(8)).await;
    held.refund();
    let large = granted(large).await;
    assert!(!small.is_finished());
    assert!(!rest.is_finished());
    large.refund();
    let small = granted(small).await;
    assert!(!rest.is_finished());
    small.charged(of(2));
    assert_eq!(granted(rest).await.amount(), of(8));
}

#[tokio::test]
async fn what_could_fit_waits_for_a_refund() {
    let budget = Budget::of(of(10));
    let held = reserve(&budget, 6).await;
    let task = asking(&budget, of(5)).await;
    assert!(!task.is_finished());
    held.refund();
    let reservation = granted(task).await;
    assert_eq!(reservation.amount(), of(5));
    assert_eq!(sums(&budget), [0, 5, 0]);
}

#[tokio::test]
async fn a_reservation_that_was_handed_over_can_still_be_settled() {
    let budget = Budget::of(of(10));
    for settle in [Reservation::refund as fn(Reservation), risk, charge_three] {
        let mut reservation = reserve(&budget, 2).await;
        reservation.hand_over();
        settle(reservation);
    }
    assert_eq!(sums(&budget), [3, 0, 2]);
    assert_eq!(budget.usage().surprises, 1);
}
