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
async fn a_free_call_passes_even_when_the_budget_is_overdrawn() {
    let budget = Budget::of(of(1));
    assert!(reserve(&budget, 1).await.charged(of(5)));
    assert!(budget.reserve(of(1)).await.is_err());
    assert!(!reserve(&budget, 0).await.charged(of(0)));
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
async fn debug_output_shows_the_numbers() {
    let budget = Budget::of(of(10));
    let reservation = reserve(&budget, 4).await;
    assert!(format!("{budget:?}").contains("reserved: 0.000004"));
    assert_eq!(
        format!("{reservation:?}"),
        "Reservation { amount: 0.000004, stage: Held, .. }"
    );
}
