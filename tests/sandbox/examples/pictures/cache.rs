//! Calls for one company with a cache: which are sent, and what they cost.

use std::time::Duration;

use company_intel::cache::Cache;
use company_intel::testing::{Script, Sent};
use company_intel::{Client, Error, Outcome, Response};
use tokio::time::Instant;

use crate::svg::Picture;
use crate::{Failed, headcount, said};

/// Pixels of a second, and of the frame.
const SECOND: u64 = 120;
const LEFT: u64 = 20;
const ROW: u64 = 62;

/// A call: when it began, how long it took, and what it cost.
struct Called {
    title: &'static str,
    from: Duration,
    lasts: Duration,
    outcome: Outcome,
}

async fn call<T>(
    start: Instant,
    title: &'static str,
    sent: impl Future<Output = Result<Response<T>, Error>>,
) -> Result<Called, Error> {
    let from = start.elapsed();
    let outcome = sent.await?.outcome();
    Ok(Called {
        title,
        from,
        lasts: start.elapsed() - from,
        outcome,
    })
}

/// Makes the calls; those of one group are made at the same time.
async fn calls() -> Result<(Vec<[Option<Called>; 2]>, Client), Failed> {
    let second = Duration::from_secs(1);
    let script = Script::responding(move |_: &Sent| headcount().after(second));
    let client = Client::builder("https://api.example.com").api_key("k");
    let client = client.cache(Cache::in_memory()).transport(script).build()?;
    let start = Instant::now();
    let of = |company: &str| client.headcount_trends(company);
    let miss = call(start, "example.com: a miss", of("example.com").send()).await?;
    let hit = call(
        start,
        "www.example.com: a hit",
        of("www.example.com").send(),
    )
    .await?;
    let (one, two) = tokio::join!(
        call(
            start,
            "example.org: two calls at once",
            of("example.org").send()
        ),
        call(start, "", of("example.org").send()),
    );
    let again = call(
        start,
        "example.com: refresh()",
        of("example.com").refresh().send(),
    )
    .await?;
    let calls = vec![
        [Some(miss), None],
        [Some(hit), None],
        [Some(one?), Some(two?)],
        [Some(again), None],
    ];
    Ok((calls, client))
}

fn pixels(time: Duration) -> Result<u64, Failed> {
    Ok(u64::try_from(time.as_millis())? * SECOND / 1000)
}

pub(crate) async fn picture() -> Result<String, Failed> {
    let (calls, client) = calls().await?;
    let mut picture = Picture::new(
        "Calls with a cache: a hit, a miss, two at once, a refresh",
        640,
    );
    let mut y = 24;
    for call in calls.iter().flatten().flatten() {
        if !call.title.is_empty() {
            picture.text(LEFT, y, "head", call.title);
        }
        let (x, width) = (LEFT + pixels(call.from)?, pixels(call.lasts)?.max(6));
        let (class, text) = match call.outcome {
            Outcome::Charged(_) => ("spent", "sent"),
            _ if width > 6 => ("reserved", "waits"),
            _ => ("reserved", ""),
        };
        picture.tile((x, y + 10), (width, 26), class, text);
        picture.text(x + width + 10, y + 28, "small", &said(call.outcome));
        y += ROW;
    }
    let usage = client.budget().usage();
    let sums = format!("spent {}, saved {}", usage.spent, usage.saved);
    picture.text(LEFT, y, "head", &sums);
    Ok(picture.finish(y + 14))
}
