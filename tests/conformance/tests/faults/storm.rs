//! Many calls at once, over sockets, against a service that bills, loses, corrupts and delays at random, while callers give up.
//!
//! Under every policy, the bill never exceeds the limit or what the budget accounts for, and nothing stays reserved. Under
//! `Unbilled` and `Never` no call is billed twice; under `Always` it may be, and each attempt reserves its own price.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use company_intel::types::AddCompanyRequest;
use company_intel::{Client, Credits, Error, RetryPolicy};
use fastrand::Rng;
use tokio::time::{sleep, timeout};

use super::server::{Deed, Service, Then};
use crate::support::calls::KEY;
use crate::support::server::Recorded;

const TASKS: usize = 64;
const CALLS: usize = 30;

/// Draws the reply to a request of this price. A `greedy` service bills whenever the client cannot check it.
fn random_deed(rng: &mut Rng, price: &str, greedy: bool) -> Deed {
    let report = format!(r#"{{"data": [], "credits_consumed": {price}}}"#);
    let lost = r#"{"data": []}"#;
    let maybe = if greedy || rng.bool() { price } else { "0" };
    let half = format!("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{lost}");
    let respond = |status, body: &str| Deed::response(status, &[], body);
    let soon = |status, body: &str| Deed::response(status, &[("retry-after", "0")], body);
    let deed = match rng.u8(..220) {
        0..=3 => Deed::json(lost).billing(maybe),
        4..=5 => Deed::json("{\"data\": [").billing(maybe),
        6 => respond(200, r#"{"data": [], "credits_consumed": "many"}"#).billing(maybe),
        7..=10 => Deed::sending("", Then::Closes).billing(maybe),
        11..=13 => Deed::sending("", Then::Resets).billing(maybe),
        14..=16 => Deed::sending(half, Then::Closes).billing(maybe),
        17..=18 => Deed::sending("", Then::Hangs).billing(maybe),
        19 => Deed::sending(half, Then::Hangs).billing(maybe),
        20..=23 => respond(500, "<html>").billing(maybe),
        24..=25 => respond(500, &report).billing(price),
        26..=27 => respond(503, "").billing(maybe),
        28..=29 => soon(503, ""),
        30 => soon(503, &report).billing(price),
        31 if rng.u8(..8) == 0 => soon(429, ""),
        32 => respond(401, ""),
        33 => respond(403, &report).billing(price),
        34..=36 => respond(404, "").billing(maybe),
        37 => respond(302, "").billing(maybe),
        38..=40 => Deed::json(&report).billing(price).then(Then::Closes),
        41..=43 => Deed::json(&report).billing(price).then(Then::ClosesUnread),
        _ => Deed::json(&report).billing(price),
    };
    Deed {
        bills_late: rng.bool(),
        ..deed.after(if rng.u8(..10) == 0 { rng.u64(..40) } else { 0 })
    }
}

/// Returns the price of a call, which the company names.
fn price_of(request: &Recorded) -> String {
    let text = format!("{} {}", request.line, request.body);
    let (_, rest) = text.split_once("costs-").unwrap();
    rest.split_once(".example").unwrap().0.to_owned()
}

/// Returns the number of the call that a request belongs to.
fn call_of(request: &Recorded) -> usize {
    let text = format!("{} {}", request.line, request.body);
    let (_, rest) = text.split_once("call-").unwrap();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Calls one of the operations; some prices are known, others are set by the caller.
async fn make_call(client: Client, number: usize, kind: u8) -> Result<(), Error> {
    let whom = |price: &str| format!("call-{number}-costs-{price}.example");
    let price = |text: &str| text.parse().unwrap();
    match kind {
        0..=3 => client.job_posts(whom("4")).send().await.map(drop),
        4 | 5 => {
            let call = client.headcount_trends(whom("2.5"));
            call.send().await.map(drop)
        }
        6 => {
            let call = client.enrichment(whom("0.35")).price(price("0.35"));
            call.send().await.map(drop)
        }
        7 => {
            let company = AddCompanyRequest::new("A", whom("2"));
            let call = client.add_company(company).price(price("2"));
            call.send().await.map(drop)
        }
        _ => client.company_search(whom("0")).send().await.map(drop),
    }
}

async fn storm(seed: u64, policy: RetryPolicy) {
    // The limit alternates between short and ample, and the service between greedy and not.
    let limit: Credits = if seed.is_multiple_of(2) {
        "100000"
    } else {
        "400"
    }
    .parse()
    .unwrap();
    let greedy = seed % 4 < 2;
    let case = format!("seed {seed}, {policy:?}, limit {limit}, greedy: {greedy}");
    let mut rng = Rng::with_seed(seed);
    let fates = Mutex::new(rng.fork());
    let billed = Arc::<Mutex<BTreeMap<usize, usize>>>::default();
    let bills = Arc::clone(&billed);
    let service = Service::playing(move |request, _| {
        let price = price_of(request);
        let deed = random_deed(&mut fates.lock().unwrap(), &price, greedy);
        let is_billed = usize::from(deed.bills > Credits::ZERO);
        *bills.lock().unwrap().entry(call_of(request)).or_default() += is_billed;
        deed
    })
    .await;
    let client = Client::builder(service.url())
        .api_key(KEY)
        .budget(limit)
        .retry(policy)
        .max_in_flight(24)
        .read_timeout(Duration::from_millis(250))
        .build()
        .unwrap();
    service.watch(client.budget());

    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let (client, mut rng) = (client.clone(), rng.fork());
            tokio::spawn(async move {
                for call in 0..CALLS {
                    let call = make_call(client.clone(), task * CALLS + call, rng.u8(..10));
                    let patience = match rng.u8(..5) {
                        0 => Duration::from_micros(rng.u64(..20_000)),
                        _ => Duration::from_secs(60),
                    };
                    drop(timeout(patience, call).await);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    // Wait until the service has billed the abandoned calls, too.
    sleep(Duration::from_millis(100)).await;

    assert_eq!(service.complaints(), [""; 0], "{case}");
    let usage = client.budget().usage();
    let booked = usage.spent.micros() + usage.at_risk.micros();
    assert_eq!(usage.reserved, Credits::ZERO, "{case}: {usage:?}");
    assert_eq!(usage.surprises, 0, "{case}: {usage:?}");
    assert!(service.billed() > Credits::ZERO, "{case}");
    assert!(service.billed() <= limit, "{case}: {usage:?}");
    assert!(service.billed().micros() <= booked, "{case}: {usage:?}");
    assert!(booked <= limit.micros(), "{case}: {usage:?}");
    let twice = billed
        .lock()
        .unwrap()
        .values()
        .filter(|times| **times > 1)
        .count();
    if policy != RetryPolicy::Always {
        assert_eq!(twice, 0, "{case}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_storm_over_sockets_no_budget_is_exceeded_and_nothing_is_lost_from_the_books() {
    let seeds = std::env::var("STORM_SEEDS").map_or(2, |seeds| seeds.parse().unwrap());
    let seeds: Vec<u64> = (1..=seeds).collect();
    // Most of the time is spent waiting, so several storms run at once.
    for seeds in seeds.chunks(4) {
        let policies = [
            RetryPolicy::Standard,
            RetryPolicy::Never,
            RetryPolicy::Always,
        ];
        let cases = seeds
            .iter()
            .flat_map(|seed| policies.map(|policy| (*seed, policy)));
        let storms: Vec<_> = cases
            .map(|(seed, policy)| tokio::spawn(storm(seed, policy)))
            .collect();
        for storm in storms {
            storm.await.unwrap();
        }
    }
}
