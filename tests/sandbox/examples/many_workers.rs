//! Four processes share a budget in Redis, which ends before their lists do, and one of them is killed:
//! `cargo run -p company-intel-sandbox --example many_workers`.

use account_tests::Server;
use company_intel::account::{Account, AccountBuilder, RedisStore};
use company_intel::{Client, Credits, Error};
use company_intel_sandbox::Sandbox;
use std::{env, process::Command, time::Duration};
use tokio::{task::spawn_blocking, time::sleep};

const SOON: Duration = Duration::from_millis(500);

fn account() -> AccountBuilder {
    Account::named("enrichment").lease(SOON)
}

/// Calls until the budget ends.
async fn work(store: &str, service: &str) -> Result<(), Box<dyn std::error::Error>> {
    let account = account().open(RedisStore::connect(store).await?).await?;
    let client = Client::builder(service).api_key("sandbox-key");
    let client = client.account(account.clone()).deadline(SOON * 4).build()?;
    for domain in ["example.com", "example.org", "lumenfoods.example"].repeat(4) {
        match client.headcount_trends(domain).send().await {
            Ok(response) => match response.body.data.total_employees {
                Some(employees) => println!("{domain}: {employees}"),
                None => println!("{domain}: no number"),
            },
            Err(Error::DeadlineExceeded(_)) => break, // a killed worker has the rest
            Err(error) if error.budget().is_some() => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(account.flush(SOON * 20).await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let [_, store, service] = &env::args().collect::<Vec<_>>()[..] {
        return work(store, service).await;
    }
    let Some(redis) = Server::start().await? else {
        return Ok(());
    };
    let store = RedisStore::connect(&redis.url()).await?;
    let account = account().limit(Credits::new(75)).open(store).await?;
    let sandbox = Sandbox::builder().latency(SOON / 10..=SOON / 5);
    let sandbox = sandbox.start().await?;
    let arguments = [redis.url(), sandbox.base_url().to_owned()];
    let start = || Command::new(env::current_exe()?).args(&arguments).spawn();
    let mut workers = [start()?, start()?, start()?, start()?];
    sleep(SOON).await;
    workers[0].kill()?;
    for mut worker in workers {
        spawn_blocking(move || worker.wait()).await??;
    }
    while account.usage().await?.in_flight > 0 {
        sleep(SOON).await;
    }
    let (bill, usage) = (sandbox.bill(), account.usage().await?.usage);
    println!("bill: {bill}\nbudget: {usage:?}");
    Ok(())
}
