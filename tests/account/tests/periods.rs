//! Budgets that start again automatically.

use std::time::Duration;

use generated_client::account::{Account, Period, Window};
use tokio::time::sleep;

use crate::support::{Service, call, client, credits, in_redis, sums};

/// Milliseconds of a period.
const SPAN: u64 = 2000;

/// Returns periods of `span` milliseconds.
pub(crate) fn every(span: u64) -> Period {
    Period::new(move |now| {
        let number = now / span;
        Window {
            name: number.to_string(),
            from: number * span,
            until: (number + 1) * span,
        }
    })
}

fn spans() -> Period {
    every(SPAN)
}

/// Waits until a period begins, by the clock of this machine, which the stores share.
async fn begin() {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let passed = u64::try_from(now.as_millis()).unwrap() % SPAN;
    sleep(Duration::from_millis(SPAN - passed + 100)).await;
}

#[tokio::test]
async fn the_sums_of_a_period_start_anew_and_those_of_the_account_go_on() {
    in_redis(|store| async move {
        let account = store
            .open(Account::named("periods").limit(credits(100)))
            .await;
        let daily = account.scoped("daily", credits(3), spans()).await.unwrap();
        let (client, _) = client(&daily, Service::charges(3));
        begin().await;
        call(&client, 3).await.unwrap();
        call(&client, 3).await.unwrap_err();
        assert_eq!(sums(&daily).await.0, [3, 0, 0]);
        begin().await;
        assert_eq!(sums(&daily).await.0, [0, 0, 0]);
        call(&client, 3).await.unwrap();
        assert_eq!(sums(&daily).await.0, [3, 0, 0]);
        assert_eq!(sums(&account).await.0, [6, 0, 0]);
    })
    .await;
}

#[tokio::test]
async fn a_call_counts_in_the_period_in_which_it_began() {
    in_redis(|store| async move {
        let account = store
            .open(Account::named("across").limit(credits(3)).period(spans()))
            .await;
        let takes = Duration::from_millis(SPAN - 200);
        let (client, _) = client(&account, Service::charges(3).taking(takes));
        begin().await;
        sleep(Duration::from_millis(500)).await;
        call(&client, 3).await.unwrap();
        assert_eq!(
            sums(&account).await.0,
            [0, 0, 0],
            "the next one has all of it"
        );
    })
    .await;
}
