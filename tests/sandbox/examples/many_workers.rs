//! Four processes share a budget in Redis, which runs out before their lists do, and one is killed:
//! `cargo run -p company-intel-sandbox --example many_workers`.

use company_intel::prelude::*;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::{env, path::Path, time::Duration};

use company_intel::account::{Account, AccountBuilder, RedisStore};
use company_intel::{Client, Credits, Error};
use company_intel_sandbox::Sandbox;
use tokio::time::sleep;

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

const DOMAINS: [&str; 3] = ["example.com", "example.org", "lumenfoods.example"];
const SOON: Duration = Duration::from_millis(500);

fn account() -> AccountBuilder {
    Account::named("enrichment").lease(SOON)
}

/// A child process, killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Adds a row for each domain to a CSV until the budget ends, and resumes where an earlier worker stopped.
async fn work(store: &str, service: &str, csv: &str) -> Result {
    let account = account().open(RedisStore::connect(store).await?).await?;
    let client = Client::builder(service).api_key("sandbox-key");
    let client = client.account(account.clone()).deadline(SOON * 4).build()?;
    let mut options = File::options();
    let mut csv = options.create(true).append(true).read(true).open(csv)?;
    let done = io::read_to_string(&csv)?.lines().count();
    for domain in DOMAINS.iter().cycle().take(12).skip(done) {
        let response = match client.headcount_trends(*domain).send().await {
            // The reservation of a killed worker outlasts the deadline of this call.
            Err(Error::DeadlineExceeded(_)) => break,
            Err(error) if error.budget().is_some() => break,
            response => response?,
        };
        writeln!(csv, "{domain},{}", response.body.data.total_employees)?;
    }
    account.flush(SOON * 20).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result {
    if let [_, store, service, csv] = &env::args().collect::<Vec<_>>()[..] {
        return work(store, service, csv).await;
    }
    let folder = env::temp_dir().join(format!("many-workers-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let result = run(&folder).await;
    fs::remove_dir_all(&folder)?;
    result
}

async fn run(folder: &Path) -> Result {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut redis = Command::new("redis-server");
    redis.args(["--bind", "127.0.0.1", "--appendonly", "yes", "--port"]);
    redis.arg(address.port().to_string()).current_dir(folder);
    let Ok(redis) = redis.stdout(Stdio::null()).spawn() else {
        println!("skipped: `redis-server` is not installed (Debian: apt install redis-server)");
        return Ok(());
    };
    let _redis = Running(redis);
    let url = format!("redis://{address}/");
    let mut waits = 0..100;
    while TcpStream::connect(address).is_err() && waits.next().is_some() {
        sleep(SOON / 10).await;
    }
    let account = account().limit(Credits::new(100));
    let account = account.open(RedisStore::connect(&url).await?).await?;
    let latency = SOON / 10..=SOON / 5;
    let sandbox = Sandbox::builder().latency(latency).start().await?;
    let start = |number: &usize| {
        let mut worker = Command::new(env::current_exe()?);
        worker.args([url.clone(), sandbox.base_url()]);
        let worker = worker.arg(folder.join(format!("{number}.csv")));
        worker.spawn().map(Running)
    };
    let mut workers: Vec<_> = [0, 1, 2, 3].iter().map(start).collect::<io::Result<_>>()?;
    sleep(SOON).await;
    drop(workers.remove(0));
    workers.push(start(&0)?);
    for mut worker in workers {
        let status = tokio::task::spawn_blocking(move || worker.0.wait()).await??;
        if !status.success() {
            return Err(format!("a worker ended with {status}").into());
        }
    }
    while account.usage().await?.in_flight > 0 {
        sleep(SOON).await;
    }
    let usage = account.usage().await?.usage;
    println!("bill: {}\nledger: {usage:?}", sandbox.bill());
    Ok(())
}
