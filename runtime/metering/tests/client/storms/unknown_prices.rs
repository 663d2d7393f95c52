//! Calls of unknown price at once, in scopes within scopes, against a service that bills, loses, delays and corrupts at random, while
//! callers give up, tasks are killed and responses come late. Time is paused, and a seed decides everything.

use metered_client::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metered_client::document::{Operation, Tariff};
use metered_client::error::TransportError;
use metered_client::request::Request;
use metered_client::transport::{BoxFuture, Transport};
use metered_client::{
    Bytes, Client, ClientBuilder, Credits, Method, RetryPolicy, StatusCode, http,
};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::support::api::{API, KEY};
use crate::support::random_outcome::{Ending, RandomOutcome, random_outcome};
use crate::support::scripted_client::silent_panic;

/// Which ledger each one is scoped from.
const PARENTS: [Option<usize>; 6] = [None, Some(0), Some(0), Some(1), Some(1), Some(3)];
const TASKS: u64 = 12;
const CALLS: u64 = 6;
/// What one call costs at the most, in micros.
const DEAREST: u64 = 5_000_000;
/// What a caller may state.
const HIGHEST: Credits = Credits::from_micros(DEAREST);

/// Its price depends on an argument, so that most are unknown.
static SIZED: Operation = Operation {
    id: "sized",
    method: Method::GET,
    path: "/sized",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &["size"],
        charge: Some("cost"),
    }),
    response: &metered_client::document::Shape::Any,
};

fn chain(scope: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(scope), |scope| PARENTS[*scope])
}

/// What was billed, in micros, to each scope and to those that were scoped from it.
#[derive(Clone, Default)]
struct Service(Arc<Mutex<BTreeMap<usize, u64>>>);

impl Service {
    fn bill(&self, scope: usize, price: u64) {
        let mut billed = self.0.lock().unwrap();
        for scope in chain(scope) {
            *billed.entry(scope).or_default() += price;
        }
    }

    fn billed(&self, scope: usize) -> u64 {
        self.0.lock().unwrap().get(&scope).copied().unwrap_or(0)
    }
}

impl Transport for Service {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let scope = request.headers()["scope"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        let halves = request.headers()["halves"].to_str().unwrap();
        let price = halves.parse::<u64>().unwrap() * 500_000;
        let RandomOutcome {
            delay,
            billed,
            ending,
        } = random_outcome(price, fastrand::bool());
        // Also after the caller has hung up.
        if billed {
            self.bill(scope, price);
        }
        Box::pin(async move {
            sleep(delay).await;
            match ending {
                Ending::Fails(kind) => Err(TransportError::new(kind, "scripted")),
                Ending::Panics => silent_panic(),
                Ending::Responds(status, after, body) => {
                    let mut response = http::Response::new(Bytes::from(body));
                    *response.status_mut() = StatusCode::from_u16(status).unwrap();
                    if let Some(seconds) = after {
                        response.headers_mut().insert("retry-after", seconds.into());
                    }
                    Ok(response)
                }
            }
        })
    }
}

/// What the caller says of the prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stated {
    /// Nothing, and they depend on an argument.
    Nothing,
    /// The highest one, and nothing tells which call costs how much: of all calls, of the operation, or of each call.
    OfAll,
    OfOperation,
    OfCall,
}

async fn make_calls(clients: Vec<Client>, seed: u64, stated: Stated) {
    for _ in 0..CALLS {
        let scope = fastrand::usize(..PARENTS.len());
        let halves = fastrand::u64(1..=10);
        let size = match stated {
            Stated::Nothing => halves,
            _ => 1,
        };
        let mut request = Request::new(&SIZED);
        request.header("scope", &scope).header("halves", &halves);
        request.query("size", &size);
        let mut options = metered_client::request::CallOptions::default();
        options.detached = Some(fastrand::bool());
        if let Some(price) = (stated == Stated::OfCall).then_some(HIGHEST) {
            options = options.assume_price(price);
        }
        request.options(&options);
        let client = clients[scope].clone();
        let mut running = tokio::spawn(async move { client.send::<Value>(request).await });
        let patience = Duration::from_millis(fastrand::u64(..60_000));
        let ended = timeout(patience, &mut running).await;
        match ended {
            // Killed, or forgotten.
            Err(_) if fastrand::bool() => running.abort(),
            Err(_) => {}
            // What is lost can be settled while others are in flight.
            Ok(Ok(Err(error))) if seed.is_multiple_of(3) => {
                // As much as three attempts can have cost.
                error.settle(Credits::from_micros(3 * DEAREST));
            }
            Ok(_) => {}
        }
    }
}

async fn storm(seed: u64, stated: Stated) -> [u64; 2] {
    fastrand::seed(seed);
    let service = Service::default();
    let limits = PARENTS.map(|_| fastrand::u64(..40) * 1_000_000 + fastrand::u64(..3));
    let builder = ClientBuilder::new(&API, "https://example.com");
    let builder = match stated {
        Stated::OfAll => builder.assume_price(HIGHEST),
        Stated::OfOperation => builder.assume_price_of(SIZED.id, HIGHEST),
        Stated::Nothing | Stated::OfCall => builder,
    };
    let root: Client = builder
        .api_key(KEY)
        .transport(service.clone())
        .retry([RetryPolicy::Standard, RetryPolicy::Always][seed as usize % 2])
        .deadline(Duration::from_secs(120))
        .budget(Credits::from_micros(limits[0]))
        .build()
        .unwrap();
    let mut clients = vec![root];
    for (parent, limit) in PARENTS.iter().zip(limits).skip(1) {
        let parent = parent.and_then(|parent| clients.get(parent)).unwrap();
        clients.push(parent.scoped(Credits::from_micros(limit)));
    }
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| tokio::spawn(make_calls(clients.clone(), seed, stated)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    // Until those that were forgotten have ended.
    sleep(Duration::from_secs(100_000)).await;

    let mut over = 0;
    for (scope, client) in clients.iter().enumerate() {
        let usage = client.ledger().usage();
        let booked = usage.spent.micros() + usage.at_risk.micros();
        let billed = service.billed(scope);
        let case = format!("{stated:?}, seed {seed}, scope {scope}, billed {billed}: {usage:?}");
        assert_eq!(usage.reserved, Credits::ZERO, "{case}");
        // The one way over a bound: the last call, of unknown price, costs more than all that was left. If it is lost, what was left is
        // what is booked.
        assert!(billed < limits[scope].max(1) + DEAREST, "{case}");
        if billed > limits[scope] {
            assert_eq!(stated, Stated::Nothing, "{case}");
            over += 1;
            assert!(booked >= limits[scope], "{case}");
        } else {
            assert!(billed <= booked, "{case}");
        }
    }
    [service.billed(0), over]
}

fn rounds() -> u64 {
    std::env::var("STORM_SEEDS").map_or(100, |seeds| seeds.parse::<u64>().unwrap() * 100)
}

#[tokio::test(start_paused = true)]
async fn no_level_is_exceeded_but_by_the_one_call_that_shows_its_price() {
    let mut sums = [0, 0];
    for seed in 1..=rounds() {
        let [billed, over] = storm(seed, Stated::Nothing).await;
        sums = [sums[0] + billed, sums[1] + over];
    }
    // It bills, and the documented way over a bound is met.
    assert!(sums[0] > 0 && sums[1] > 0, "{sums:?}");
}

#[tokio::test(start_paused = true)]
async fn no_level_is_exceeded_where_the_caller_states_the_highest_price() {
    let (mut billed, mut most) = (0, 0);
    for seed in 1..=rounds() {
        for stated in [Stated::OfAll, Stated::OfOperation, Stated::OfCall] {
            let [of_round, _] = storm(seed, stated).await;
            billed += of_round;
            most = most.max(of_round);
        }
    }
    println!(
        "{} rounds, {billed} micros billed, at most {most} in one",
        3 * rounds()
    );
    assert!(billed > 0);
}
