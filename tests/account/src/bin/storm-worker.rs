//! A worker of a storm: it makes calls on an account until its input ends, then settles everything and ends.
//!
//! `storm-worker STORE SERVICE KEY MODE LEASE DEADLINE PERIOD CALLS`: two URLs, the key of the service, `documented` or
//! `stated`, milliseconds twice, the time in milliseconds since 1970 at which the present period of ten minutes began, and the number of
//! calls at once.

use std::env;
use std::error::Error;
use std::time::Duration;

use account_tests::storm::{HIGHEST, ten_minutes};
use company_intel::Client;
use company_intel::account::{Account, AccountBuilder, RedisStore};
use company_intel::types::EnrichmentSection;
use tokio::io::{AsyncReadExt, stdin};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Timeout for settling, because the store may be away.
const SETTLED: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let mut next = || arguments.next().ok_or("an argument is missing");
    let (store, service, key, mode) = (next()?, next()?, next()?, next()?);
    let lease = Duration::from_millis(next()?.parse()?);
    // Every call has ended by then.
    let deadline = Duration::from_millis(next()?.parse()?);
    let (period, calls): (u64, usize) = (next()?.parse()?, next()?.parse()?);

    let builder = Account::named("storm")
        .period(ten_minutes(period))
        .lease(lease);
    let is_stated = mode == "stated";
    let account = open(builder, &store).await;
    let client = Client::builder(service)
        .api_key(key)
        .account(account.clone())
        .assume_price(HIGHEST)
        .deadline(deadline)
        .max_in_flight(calls)
        .build()?;

    let (stop, stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    for _ in 0..calls {
        let (client, stopped) = (client.clone(), stopped.clone());
        tasks.spawn(async move {
            while !*stopped.borrow() {
                if call(&client, is_stated).await.is_err() {
                    sleep(PAUSE).await;
                }
            }
        });
    }
    stdin().read_to_end(&mut Vec::new()).await?;
    stop.send(true)?;
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }
    account.flush(SETTLED).await?;
    Ok(())
}

/// Makes a call at the documented price, or at a varying one that is mostly lower.
async fn call(client: &Client, is_stated: bool) -> Result<(), company_intel::Error> {
    if !is_stated {
        client.headcount_trends("example.com").send().await?;
        return Ok(());
    }
    let call = client.enrichment("example.com");
    let call = match fastrand::u8(..4) {
        0 => call.sections([EnrichmentSection::Technology]),
        _ => call,
    };
    call.send().await?;
    Ok(())
}

/// Opens the account. The store may be away when a worker starts.
async fn open(builder: AccountBuilder, store: &str) -> Account {
    loop {
        if let Ok(store) = RedisStore::connect(store).await
            && let Ok(account) = builder.clone().open(store).await
        {
            return account;
        }
        sleep(PAUSE).await;
    }
}
