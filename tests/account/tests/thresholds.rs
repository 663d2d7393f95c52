//! Thresholds of an account: one of all processes is told.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use metered_client::account::{Account, InProcess};
use metered_client::money::Threshold;
use tokio::time::{advance, sleep};

use crate::periods::every;
use crate::support::{Service, call, client, credits, flush, in_both_stores};

type Told = Arc<Mutex<Vec<(u8, u64)>>>;

/// Notes the percentage, and what was spent then.
fn watch(account: &Account, told: &Told) {
    for percent in [80, 95] {
        let told = Arc::clone(told);
        account.on_threshold(percent, move |Threshold { percent, usage, .. }| {
            let spent = usage.spent.micros() / 1_000_000;
            told.lock().unwrap().push((percent, spent));
        });
    }
}

fn take(told: &Told) -> Vec<(u8, u64)> {
    std::mem::take(&mut *told.lock().unwrap())
}

#[tokio::test]
async fn one_of_all_processes_is_told_of_a_threshold() {
    in_both_stores(|store| async move {
        let open = async || {
            let account = Account::named("watched");
            store.open(account).await
        };
        store
            .open(Account::named("watched").limit(credits(100)))
            .await;
        let (told, accounts) = (Told::default(), [open().await, open().await, open().await]);
        for account in &accounts {
            watch(account, &told);
        }
        let [one, other, _] = &accounts;
        let spend = async |account: &Account, cost: u64| {
            let (client, _) = client(account, Service::charges(cost));
            call(&client, cost).await.unwrap();
            flush(account).await;
        };
        spend(one, 79).await;
        assert_eq!(take(&told), []);
        spend(other, 2).await;
        spend(one, 3).await;
        assert_eq!(take(&told), [(80, 81)], "by the process that noticed it");
        other.raise(credits(20)).await.unwrap();
        // 84 of 120.
        spend(one, 11).await;
        assert_eq!(take(&told), []);
        // Those who spend need not watch, nor flush.
        let (client, _) = client(&open().await, Service::charges(2));
        call(&client, 2).await.unwrap();
        sleep(Duration::from_millis(1500)).await;
        assert_eq!(take(&told), [(80, 97)], "again after the raise");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_threshold_is_told_once_in_each_period() {
    const DAY: Duration = Duration::from_secs(24 * 3600);
    let store = InProcess::at(SystemTime::UNIX_EPOCH + DAY * 20_000);
    let account = Account::named("daily")
        .limit(credits(10))
        .period(every(u64::try_from(DAY.as_millis()).unwrap()));
    let account = account.open(store).await.unwrap();
    let told = Told::default();
    watch(&account, &told);
    let (client, _) = client(&account, Service::charges(4));
    for _ in 0..2 {
        for _ in 0..2 {
            call(&client, 4).await.unwrap();
            flush(&account).await;
        }
        sleep(Duration::from_secs(5)).await;
        assert_eq!(take(&told), [(80, 8)]);
        advance(DAY).await;
    }
}
