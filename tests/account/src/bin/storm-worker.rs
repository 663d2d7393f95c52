//! A worker of a storm: it makes calls on an account until its input ends, then settles everything and ends.
//!
//! `storm-worker STORE SERVICE KEY LEASE DEADLINE CALLS`: two URLs, the key of the service, milliseconds twice, and the number of calls at
//! once.

use std::env;
use std::error::Error;
use std::time::Duration;

use company_intel::Client;
use company_intel::account::{Account, AccountBuilder, RedisStore};
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
    let (store, service, key) = (next()?, next()?, next()?);
    let lease = Duration::from_millis(next()?.parse()?);
    // Every call has ended by then.
    let deadline = Duration::from_millis(next()?.parse()?);
    let calls: usize = next()?.parse()?;

    let account = open(Account::named("storm").lease(lease), &store).await;
    let client = Client::builder(service)
        .api_key(key)
        .account(account.clone())
        .deadline(deadline)
        .max_in_flight(calls)
        .build()?;

    let (stop, stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    for _ in 0..calls {
        let (client, stopped) = (client.clone(), stopped.clone());
        tasks.spawn(async move {
            while !*stopped.borrow() {
                if client.headcount_trends("example.com").send().await.is_err() {
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
