//! Calls of unknown price at once, in scopes within scopes, against a service that bills, loses, delays and corrupts at random, while
//! callers give up, tasks are killed and responses come late. Time is paused, and a seed decides everything.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::document::Api;
use generated_client::error::TransportError;
use generated_client::request::Request;
use generated_client::transport::{BoxFuture, Transport};
use generated_client::{
    Budget, Bytes, Client, ClientBuilder, Credits, RetryPolicy, StatusCode, http,
};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use crate::support::api::{API, KEY};
use crate::support::random_outcome::{Ending, RandomOutcome, random_outcome};
use crate::support::scripted_client::{SIZED, silent_panic};

/// The budget that each one is scoped from.
const PARENTS: [Option<usize>; 6] = [None, Some(0), Some(0), Some(1), Some(1), Some(3)];
const TASKS: u64 = 12;
const CALLS: u64 = 6;
/// The highest and the lowest cost of one call, in micros.
const DEAREST: u64 = 5_000_000;
const CHEAPEST: u64 = 500_000;
/// The highest price that a caller may state, and that of the document.
const HIGHEST: Credits = Credits::from_micros(DEAREST);

/// Another price that the document lists: no call costs it.
const LISTED: Credits = Credits::from_micros(700_000);

static PRICED: Api = Api {
    interceptor: Some(|| generated_client::meter(Some("cost"), Some(HIGHEST))),
    ..API
};

static PRICED_LOW: Api = Api {
    interceptor: Some(|| generated_client::meter(Some("cost"), Some(LISTED))),
    ..API
};

fn chain(scope: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(scope), |scope| PARENTS[*scope])
}

/// The amount billed to each scope and its descendants, in micros, and how many calls a person has settled.
#[derive(Clone, Default)]
struct Service(Arc<Mutex<BTreeMap<usize, u64>>>, Arc<AtomicU64>);

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

/// The prices that the caller states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stated {
    /// Nothing, and they grow with an argument.
    LearnedBySize,
    /// Nothing, and no argument tells them.
    Learned,
    /// The highest one, and nothing tells which call costs how much: of all calls, or of each call.
    OfAll,
    OfCall,
}

impl Stated {
    /// Returns whether the caller states the highest price, which the document does not list.
    fn is_of_caller(self) -> bool {
        matches!(self, Self::OfAll | Self::OfCall)
    }
}

async fn make_calls(clients: Vec<Client>, service: Service, seed: u64, stated: Stated) {
    for _ in 0..CALLS {
        let scope = fastrand::usize(..PARENTS.len());
        let halves = fastrand::u64(1..=10);
        let mut request = Request::new(&SIZED);
        request.header("scope", &scope).header("halves", &halves);
        match stated {
            Stated::LearnedBySize => request.query("size", &halves),
            // As names, which are no sizes.
            Stated::Learned => request.query("size", &format!("x{halves}")),
            Stated::OfAll | Stated::OfCall => request.query("size", &1),
        };
        let mut options = generated_client::request::CallOptions::default();
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
            // A lost call can be settled while others are in flight.
            Ok(Ok(Err(error))) if seed.is_multiple_of(3) => {
                // As much as three attempts can have cost.
                if error.settle(Credits::from_micros(3 * DEAREST)) {
                    service.1.fetch_add(3, Ordering::Relaxed);
                }
            }
            Ok(_) => {}
        }
    }
}

/// The sums of a storm.
#[derive(Debug, Default)]
struct Sums {
    /// The amount billed to the root, in micros.
    billed: u64,
    /// How many levels were exceeded, and by how much the worst of them.
    over: u64,
    worst: u64,
    lost: u64,
    surprises: u64,
    /// Until no caller waits any more.
    took: Duration,
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.billed += other.billed;
        self.over += other.over;
        self.worst = self.worst.max(other.worst);
        self.lost += other.lost;
        self.surprises += other.surprises;
        self.took += other.took;
    }
}

/// Returns a client of each scope.
fn budgets(root: Client, limits: &[u64]) -> Vec<Client> {
    root.budget().raise(Credits::from_micros(limits[0]));
    let mut clients = vec![root];
    for (parent, limit) in PARENTS.iter().zip(limits).skip(1) {
        let parent = parent.and_then(|parent| clients.get(parent)).unwrap();
        clients.push(parent.scoped(Credits::from_micros(*limit)));
    }
    clients
}

async fn storm(seed: u64, stated: Stated) -> Sums {
    fastrand::seed(seed);
    let service = Service::default();
    let limits = PARENTS.map(|_| fastrand::u64(..40) * 1_000_000 + fastrand::u64(..3));
    let root = process(seed, stated, &service).budget(Budget::of(Credits::ZERO));
    let clients = budgets(root.build().unwrap(), &limits);
    let begin = Instant::now();
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| tokio::spawn(make_calls(clients.clone(), service.clone(), seed, stated)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut sums = Sums {
        took: begin.elapsed(),
        ..Sums::default()
    };
    // Until those that were forgotten have ended.
    sleep(Duration::from_secs(100_000)).await;

    // What a call can cost above what is expected of it. A size tells its price, and the caller may.
    let above = match stated {
        Stated::Learned => DEAREST - CHEAPEST,
        _ => 0,
    };
    for (scope, limit) in limits.into_iter().enumerate() {
        let budget = clients[scope].budget();
        let usage = budget.usage();
        let risks = budget.at_risk().into_iter();
        let amounts: Vec<_> = risks.map(|risk| risk.amount).collect();
        if stated.is_of_caller() {
            assert!(!amounts.contains(&Some(LISTED)), "{scope}: {amounts:?}");
        }
        let lost = amounts.len() as u64 + service.1.load(Ordering::Relaxed);
        let booked = usage.spent.micros() + usage.at_risk.micros();
        let billed = service.billed(scope);
        let case = format!("{stated:?}, seed {seed}, scope {scope}, billed {billed}: {usage:?}");
        assert_eq!(usage.reserved, Credits::ZERO, "{case}");
        // The bound of docs/budgets.md, for the limit and for the books.
        assert!(billed <= limit + (lost + usage.surprises) * above, "{case}");
        assert!(billed <= booked + lost * above, "{case}");
        sums.lost += lost;
        if billed > limit {
            sums.over += 1;
            sums.worst = sums.worst.max(billed - limit);
        }
        sums.surprises += usage.surprises;
    }
    sums.billed = service.billed(0);
    sums
}

/// Returns the client of a process, without a budget.
fn process(seed: u64, stated: Stated, service: &Service) -> ClientBuilder {
    let api = if stated.is_of_caller() {
        &PRICED_LOW
    } else {
        &PRICED
    };
    let builder: ClientBuilder = ClientBuilder::new(api, "https://example.com");
    let builder = match stated {
        Stated::OfAll => builder.assume_price(HIGHEST),
        Stated::OfCall | Stated::LearnedBySize | Stated::Learned => builder,
    };
    builder
        .api_key(KEY)
        .transport(service.clone())
        .retry([RetryPolicy::Standard, RetryPolicy::Always][seed as usize % 2])
        .deadline(Duration::from_secs(120))
}

/// Storms of all rounds.
async fn storms(stated: Stated) -> Sums {
    let seeds = std::env::var("STORM_SEEDS").map_or(1, |seeds| seeds.parse().unwrap());
    let rounds: u64 = 100 * seeds;
    let mut sums = Sums::default();
    for seed in 1..=rounds {
        sums.add(&storm(seed, stated).await);
    }
    println!("{rounds} rounds, {stated:?}: {sums:?}");
    assert!(sums.billed > 0, "{stated:?}: {sums:?}");
    sums
}

#[tokio::test(start_paused = true)]
async fn no_level_is_exceeded_where_calls_cost_what_is_expected() {
    let sums = storms(Stated::LearnedBySize).await;
    assert_eq!(sums.over, 0, "{sums:?}");
}

/// Where prices are up to ten times what was seen, a level is exceeded by calls that are lost or cost more than they reserve.
#[tokio::test(start_paused = true)]
#[ignore = "the gate runs it: a hundred storms"]
async fn a_level_is_exceeded_by_no_more_than_what_lost_and_surprising_calls_cost_above_the_expected()
 {
    let sums = storms(Stated::Learned).await;
    // The documented way over a bound is met.
    assert!(sums.over > 0, "{sums:?}");
}

/// What a lost call has at risk is the price that was seen, and it may have cost the stated one.
#[tokio::test(start_paused = true)]
#[ignore = "the gate runs it: two hundred storms"]
async fn only_lost_calls_exceed_a_level_where_the_caller_states_the_highest_price() {
    for stated in [Stated::OfAll, Stated::OfCall] {
        storms(stated).await;
    }
}
