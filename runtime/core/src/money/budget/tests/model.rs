//! The budget under a model checker: threads, and futures that are cancelled, in many random schedules. Shuttle switches threads only at
//! `switch_point`, before each lock. It reports a waiter that is never woken as a deadlock.

use std::cell::Cell;
use std::future::Future;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use shuttle::future::block_on;
use shuttle::thread;

use super::of;
use crate::money::budget::Budget;

thread_local! {
    static IS_MODELLED: Cell<bool> = const { Cell::new(false) };
}

/// Yields to another thread inside a model; does nothing in other tests.
pub(crate) fn switch_point() {
    if IS_MODELLED.get() {
        thread::yield_now();
    }
}

/// Waits until a mutex is free that another thread of a model holds at a switch point.
pub(in crate::money::budget) fn wait_for(mutex: &Mutex<()>) {
    while IS_MODELLED.get() && mutex.try_lock().is_err() {
        thread::yield_now();
    }
}

pub(crate) fn check(schedules: usize, model: impl Fn() + Clone + Send + Sync + 'static) {
    // Shuttle runs the model's threads as coroutines on this test's thread; a thread-local therefore suffices.
    IS_MODELLED.set(true);
    let times = std::env::var("SHUTTLE_TIMES").map_or(1, |times| times.parse().unwrap());
    let schedules = schedules * times;
    shuttle::check_random(model.clone(), schedules);
    shuttle::check_pct(model, schedules, 3);
}

fn assert_within(budget: &Budget) {
    let usage = budget.usage();
    let taken = [usage.spent, usage.reserved, usage.at_risk].map(|amount| amount.micros());
    let limit = usage.limit.unwrap().micros();
    assert!(taken.iter().sum::<u64>() <= limit, "{usage:?}");
}

#[test]
fn threads_that_reserve_and_settle_stay_within_every_limit() {
    check(1_000, || {
        let root = Budget::of(of(10));
        let batches = [7, 6].map(|limit| root.scoped(of(limit)));
        let threads: Vec<_> = [(0, 4), (1, 5), (0, 3), (1, 6)]
            .into_iter()
            .enumerate()
            .map(|(nth, (batch, price))| {
                let root = root.clone();
                let budget = batches[batch].clone();
                thread::spawn(move || {
                    let Ok(mut reservation) = block_on(budget.reserve(of(price))) else {
                        return 0;
                    };
                    assert_within(&root);
                    assert_within(&budget);
                    reservation.hand_over();
                    match nth {
                        0 => drop(reservation.charged(of(price - 1))),
                        1 => reservation.refund(),
                        2 => _ = reservation.at_risk(),
                        _ => drop(reservation),
                    }
                    assert_within(&root);
                    1
                })
            })
            .collect();
        let granted: u32 = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum();
        assert!(
            granted >= 2,
            "the first, and one that fits beside or after it"
        );
        for budget in [&root, &batches[0], &batches[1]] {
            assert_eq!(budget.usage().reserved, of(0));
            assert_within(budget);
        }
    });
}

#[test]
fn every_refund_reaches_the_next_who_waits() {
    check(1_000, || {
        let budget = Budget::of(of(3));
        let threads: Vec<_> = [3, 1, 2]
            .map(of)
            .map(|price| {
                let budget = budget.clone();
                thread::spawn(move || {
                    for _ in 0..2 {
                        block_on(budget.reserve(price)).unwrap().refund();
                        assert_within(&budget);
                    }
                })
            })
            .into();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(budget.usage().reserved, of(0));
    });
}

#[test]
fn a_cancelled_waiter_leaks_no_credits_and_loses_no_wake_up() {
    check(1_000, || {
        let budget = Budget::of(of(2));
        let quitter = budget.clone();
        let patient = budget.clone();
        let holder = budget.clone();
        let threads = [
            thread::spawn(move || {
                let mut future = Box::pin(quitter.reserve(of(2)));
                // Dropped in any of its states: waiting, granted and not received, or received.
                match future
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()))
                {
                    Poll::Ready(response) => drop(response.unwrap()),
                    Poll::Pending => thread::yield_now(),
                }
            }),
            thread::spawn(move || {
                let reservation = block_on(patient.reserve(of(1))).unwrap();
                reservation.refund();
            }),
            thread::spawn(move || {
                let batch = holder.scoped(of(2));
                drop(block_on(batch.reserve(of(2))).unwrap());
            }),
        ];
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(budget.usage().reserved, of(0));
        let whole = block_on(budget.reserve(of(2))).unwrap();
        assert_eq!(whole.amount(), of(2));
    });
}
