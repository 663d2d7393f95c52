//! A worker: it opens the account, makes its calls, and settles everything before it ends.

use std::ops::Range;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use account_tests::api::{API, GET_THING};
use generated_client::account::{Account, RedisStore};
use generated_client::document::Operation;
use generated_client::request::{CallOptions, Request};
use generated_client::{Bytes, Client, ClientBuilder, Method, http};
use serde_json::Value;
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::network::Link;
use super::plan::{MOST_CALLS, TENANT, credits};
use super::world::{Peer, World};

/// The name of the account.
pub(super) const NAME: &str = "simulated";
/// How long a worker may take to tell the store what its calls have cost. No fault lasts longer.
const SETTLED: Duration = Duration::from_secs(120);
/// How far a call may exceed its deadline: a timer has milliseconds.
const LATE: Duration = Duration::from_millis(10);

/// An operation for each call: the store knows a call by that. The last two show that the account still grants.
static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    (0..MOST_CALLS + 2)
        .map(|call| Operation {
            id: format!("call{call}").leak(),
            path: format!("/call{call}").leak(),
            method: Method::GET,
            extension: GET_THING.extension,
            response: GET_THING.response,
        })
        .collect()
});

impl World {
    /// Connects another worker, and returns its number and its store.
    pub(super) fn join(&self, is_faultless: bool) -> (usize, RedisStore) {
        let mut state = self.state();
        let worker = state.peers.len();
        state.peers.push(Peer {
            turns: broadcast::Sender::new(64),
            is_dead: false,
            is_faultless,
            is_cut_off: false,
            in_flight: 0,
        });
        let link = Link {
            world: self.clone(),
            worker,
        };
        (worker, RedisStore::simulated(Arc::new(link)))
    }

    /// Opens the account, or the tenant. The store may be away when a worker starts.
    pub(super) async fn open(&self, store: RedisStore, is_tenant: bool) -> Account {
        let plan = self.state().plan.clone();
        let mut builder = Account::named(NAME).lease(plan.lease);
        if let Some(most) = plan.max_in_flight {
            builder = builder.max_in_flight(most);
        }
        loop {
            if let Ok(account) = builder.clone().open(store.clone()).await {
                if !is_tenant {
                    return account;
                }
                if let Ok(tenant) = account.scoped(TENANT, None, plan.period()).await {
                    return tenant;
                }
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    fn client(&self, worker: usize, account: &Account, deadline: Duration) -> Client {
        let world = self.clone();
        let transport = move |request: http::Request<Bytes>| {
            let call = request.uri().path().trim_start_matches("/call");
            world.clone().request(worker, call.parse().unwrap())
        };
        ClientBuilder::new(&API, "https://example.com")
            .transport(transport)
            .account(account.clone())
            .max_in_flight(100)
            .deadline(deadline)
            .build()
            .unwrap()
    }

    /// Lives as a worker that makes these calls.
    pub(super) async fn live(self, worker: usize, store: RedisStore, calls: Range<usize>) {
        let is_tenant = self.state().random.bool();
        let account = self.open(store, is_tenant).await;
        let deadline = self.state().plan.deadline;
        let client = self.client(worker, &account, deadline);
        let mut running = JoinSet::new();
        for call in calls {
            running.spawn(self.clone().call(client.clone(), call));
        }
        while let Some(ended) = running.join_next().await {
            ended.unwrap();
        }
        if let Err(error) = account.flush(SETTLED).await {
            let left = error.left;
            self.state()
                .violation(format!("worker {worker} cannot settle {left} calls"));
        }
    }

    /// Makes one call, which the caller may give up.
    async fn call(self, client: Client, call: usize) {
        let (start, price, patience, is_detached) = {
            let mut state = self.state();
            let deadline = u64::try_from(state.plan.deadline.as_millis()).unwrap();
            let start = state.random.u64(..5_000);
            let price = state.random.u64(1..4_000_000);
            let is_dropped = state.chance(15);
            let patience = is_dropped.then(|| state.random.u64(..deadline));
            // A detached call may outlive its lease, and no longer counts as in flight then.
            let is_detached = state.chance(10) && state.plan.max_in_flight.is_none();
            (start, price, patience, is_detached)
        };
        sleep(Duration::from_millis(start)).await;
        let deadline = self.state().plan.deadline;
        let begun = Instant::now();
        let patience = patience.map_or(Duration::MAX, Duration::from_millis);
        let sent = timeout(patience, send(&client, call, price, is_detached)).await;
        let mut state = self.state();
        let what = match sent {
            Err(_) => "dropped".to_owned(),
            Ok(Ok(())) => "ok".to_owned(),
            Ok(Err(error)) => {
                if error.account_unavailable().is_some() && !state.plan.is_faulty {
                    state.violation(format!("call {call} fails without a fault"));
                }
                error.to_string()
            }
        };
        state.note(format!("call {call} of {price}: {what}"));
        if begun.elapsed() > deadline + LATE {
            state.violation(format!("call {call} took {:?}", begun.elapsed()));
        }
    }

    /// Makes a call that nothing hinders.
    pub(super) async fn is_granted(
        &self,
        worker: usize,
        account: &Account,
        call: usize,
        price: u64,
    ) {
        let client = self.client(worker, account, SETTLED);
        if let Err(error) = send(&client, call, price, false).await {
            self.state()
                .violation(format!("{price} are left, and refused: {error}"));
        }
    }
}

/// Returns what is left of an account of which nothing is reserved.
pub(super) async fn left(account: &Account) -> u64 {
    let usage = account.usage().await.unwrap().usage;
    let taken = usage.spent.micros() + usage.at_risk.micros();
    usage.limit.unwrap_or_default().micros() - taken
}

async fn send(
    client: &Client,
    call: usize,
    price: u64,
    is_detached: bool,
) -> Result<(), generated_client::Error> {
    let mut request = Request::new(&OPERATIONS[call]);
    let mut options = CallOptions::default().price(credits(price));
    options.detached = Some(is_detached);
    request.options(&options);
    client.send::<Value>(request).await.map(drop)
}
