//! One process: reports that it is ready, waits for a line, makes calls for a while, and reports their number and times.

use std::error::Error;
use std::fmt;
use std::io::stdin;
use std::str::FromStr;
use std::time::{Duration, Instant};

use account_tests::api::{API, GET_THING};
use generated_client::account::{Account, RedisStore};
use generated_client::request::Request;
use generated_client::{Bytes, Client, ClientBuilder, Credits, http};
use tokio::task::JoinSet;

pub(crate) const LASTS: Duration = Duration::from_secs(3);
const CALLS: usize = 50;
const LIMIT: Credits = Credits::new(4_000_000_000);

/// Place where the credits of a call are reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Process,
    Redis,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Process => "the process",
            Self::Redis => "Redis",
        })
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut kinds = [Self::Process, Self::Redis].into_iter();
        let kind = kinds.find(|kind| kind.to_string() == text);
        kind.ok_or_else(|| format!("`{text}` is not a valid place for credits"))
    }
}

pub(crate) async fn run(kind: Kind, url: &str) -> Result<(), Box<dyn Error>> {
    let builder = ClientBuilder::<Client>::new(&API, "https://example.com")
        .transport(|_: http::Request<Bytes>| async {
            Ok(http::Response::new(Bytes::from_static(b"{\"cost\": 1}")))
        })
        .assume_price(Credits::new(1))
        .max_in_flight(CALLS);
    let account = Account::named("bench").limit(LIMIT);
    let account = match kind {
        Kind::Process => None,
        Kind::Redis => Some(account),
    };
    let (client, account) = match account {
        None => (builder.budget(LIMIT).build()?, None),
        Some(account) => {
            let account = account.open(RedisStore::connect(url).await?).await?;
            (builder.account(account.clone()).build()?, Some(account))
        }
    };
    client
        .send::<serde_json::Value>(Request::new(&GET_THING))
        .await?;
    println!("ready");
    stdin().read_line(&mut String::new())?;

    let end = Instant::now() + LASTS;
    let mut tasks = JoinSet::new();
    for _ in 0..CALLS {
        let client = client.clone();
        tasks.spawn(async move {
            let mut times = Vec::new();
            while Instant::now() < end {
                let begin = Instant::now();
                client
                    .send::<serde_json::Value>(Request::new(&GET_THING))
                    .await?;
                times.push(begin.elapsed());
                tokio::task::yield_now().await;
            }
            Ok::<_, generated_client::Error>(times)
        });
    }
    let mut times = Vec::new();
    while let Some(task) = tasks.join_next().await {
        times.extend(task??);
    }
    times.sort_unstable();
    let at = |share: usize| {
        let time = times.get(times.len() * share / 100).copied();
        time.unwrap_or_default().as_secs_f64() * 1e3
    };
    println!("{} {} {}", times.len(), at(50), at(99));
    if let Some(account) = account {
        account.flush(Duration::from_secs(30)).await?;
    }
    Ok(())
}
