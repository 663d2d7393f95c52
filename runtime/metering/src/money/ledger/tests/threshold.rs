//! Thresholds of ledgers: when they are told, and how often.

use std::sync::{Arc, Mutex};

use super::of;
use crate::money::ledger::{Ledger, Threshold};

type Told = Arc<Mutex<Vec<(u8, u64)>>>;

/// Notes the percentage, and what was spent then.
fn watch(ledger: &Ledger, told: &Told) {
    for percent in [80, 95] {
        let told = Arc::clone(told);
        ledger.on_threshold(percent, move |Threshold { percent, usage }| {
            told.lock().unwrap().push((percent, usage.spent.micros()));
        });
    }
}

async fn spend(ledger: &Ledger, micros: u64) {
    let reservation = ledger.reserve(of(micros)).await.unwrap();
    reservation.charged(of(micros));
}

#[tokio::test]
async fn a_threshold_is_told_once_and_again_after_a_raise_above_it() {
    let (ledger, told) = (Ledger::with_budget(of(100)), Told::default());
    watch(&ledger, &told);
    let take = || std::mem::take(&mut *told.lock().unwrap());
    spend(&ledger, 79).await;
    let held = ledger.reserve(of(20)).await.unwrap();
    assert_eq!(take(), [], "what is reserved is not used");
    held.refund();
    spend(&ledger, 1).await;
    spend(&ledger, 1).await;
    assert_eq!(take(), [(80, 80)]);
    let risk = ledger.reserve(of(15)).await.unwrap();
    let id = risk.at_risk();
    assert_eq!(take(), [(95, 81)]);
    // Neither is told again when it is reached again.
    ledger.settle(id, of(0));
    spend(&ledger, 15).await;
    assert_eq!(take(), []);
    // 96 of 110: more than 80 % and less than 95 %.
    ledger.raise(of(10));
    spend(&ledger, 9).await;
    assert_eq!(take(), [(95, 105)]);
}

#[tokio::test]
async fn a_ledger_is_watched_with_its_scopes_and_a_scope_alone() {
    let (root, told) = (Ledger::with_budget(of(100)), Told::default());
    let (of_scope, scope) = (Told::default(), root.scoped(of(10)));
    watch(&root, &told);
    watch(&scope, &of_scope);
    spend(&scope, 8).await;
    assert_eq!(*of_scope.lock().unwrap(), [(80, 8)]);
    spend(&root, 70).await;
    spend(&scope, 2).await;
    assert_eq!(*told.lock().unwrap(), [(80, 80)]);
    assert_eq!(*of_scope.lock().unwrap(), [(80, 8), (95, 10)]);
    drop(scope);
    assert_eq!(Arc::strong_count(&of_scope), 1);
    // A late watch reports the current usage at once.
    let late = Told::default();
    watch(&root, &late);
    assert_eq!(*late.lock().unwrap(), [(80, 10 + 70)]);
    let reservation = root.reserve(of(15)).await.unwrap();
    let mut reservation = reservation;
    reservation.hand_over();
    drop(reservation);
    assert_eq!(late.lock().unwrap().last(), Some(&(95, 80)));
}
