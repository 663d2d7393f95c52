//! Four processes share a budget in Redis, and one is killed: `cargo run -p company-intel-sandbox --example many_workers`.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::{env, net::TcpListener, time::Duration};

use company_intel::account::{Account, AccountBuilder, RedisStore};
use company_intel::{Client, Credits};
use company_intel_sandbox::Sandbox;
use tokio::time::sleep;

const DOMAINS: [&str; 3] = ["example.com", "example.org", "lumenfoods.example"];
const SOON: Duration = Duration::from_millis(500);

fn account() -> AccountBuilder {
    Account::named("enrichment").lease(SOON)
}

/// Adds a row for each domain to a CSV, and goes on where an earlier worker stopped.
async fn work(store: &str, service: &str, csv: &str) -> Result<(), Box<dyn Error>> {
    let account = account().open(RedisStore::connect(store).await?).await?;
    let client = Client::builder(service).api_key("sandbox-key");
    let client = client.account(account.clone()).deadline(SOON * 4).build()?;
    let mut csv = File::options()
        .create(true)
        .append(true)
        .read(true)
        .open(csv)?;
    let done = io::read_to_string(&csv)?.lines().count();
    for domain in DOMAINS.iter().cycle().take(12).skip(done) {
        let response = client.headcount_trends(*domain).send().await?;
        writeln!(csv, "{domain},{}", response.body.data.total_employees)?;
    }
    account.flush().await;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let [_, store, service, csv] = &env::args().collect::<Vec<_>>()[..] {
        return work(store, service, csv).await;
    }
    let folder = env::temp_dir().join(format!("many-workers-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut redis = Command::new("redis-server");
    redis.args(["--bind", "127.0.0.1", "--appendonly", "yes", "--port"]);
    redis.arg(address.port().to_string()).current_dir(&folder);
    let Ok(mut redis) = redis.stdout(Stdio::null()).spawn() else {
        println!("skipped: `redis-server` is not installed (Debian: apt install redis-server)");
        return Ok(());
    };
    sleep(SOON).await;
    let url = format!("redis://{address}/");
    let account = account().limit(Credits::new(130));
    let account = account.open(RedisStore::connect(&url).await?).await?;
    let sandbox = Sandbox::builder().latency(SOON / 10..=SOON / 5);
    let sandbox = sandbox.start().await?;
    let start = |number: &usize| {
        let mut worker = Command::new(env::current_exe()?);
        worker.args([url.clone(), sandbox.base_url()]);
        worker.arg(folder.join(format!("{number}.csv"))).spawn()
    };
    let mut workers: Vec<_> = [0, 1, 2, 3].iter().map(start).collect::<Result<_, _>>()?;
    sleep(SOON).await;
    workers.remove(0).kill()?;
    workers.push(start(&0)?);
    let wait = move || {
        workers
            .iter_mut()
            .try_for_each(|one| Child::wait(one).map(drop))
    };
    tokio::task::spawn_blocking(wait).await??;
    while account.usage().await?.in_flight > 0 {
        sleep(SOON).await;
    }
    println!(
        "bill: {}\nledger: {:?}",
        sandbox.bill(),
        account.usage().await?.usage
    );
    redis.kill()?;
    redis.wait()?;
    Ok(fs::remove_dir_all(&folder)?)
}
