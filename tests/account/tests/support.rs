//! Clients of a service that bills, and their accounts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use account_tests::Server;
use account_tests::api::{API, GET_THING};
use generated_client::account::{Account, AccountBuilder, RedisStore};
use generated_client::request::{CallOptions, Request};
use generated_client::{Bytes, Client, ClientBuilder, Credits, Error, Response, http};
use tokio::time::sleep;

pub(crate) const SOON: Duration = Duration::from_secs(10);

pub(crate) fn credits(whole: u64) -> Credits {
    Credits::from_micros(whole * 1_000_000)
}

/// A store in which accounts are opened, as by several processes.
#[derive(Clone)]
pub(crate) struct Store(pub(crate) RedisStore);

impl Store {
    pub(crate) async fn open(&self, builder: AccountBuilder) -> Account {
        builder.open(self.0.clone()).await.unwrap()
    }
}

/// Runs a scenario with Redis, if it is installed.
pub(crate) async fn in_redis<F: Future<Output = ()>>(scenario: impl FnOnce(Store) -> F) {
    if let Some(server) = Server::start().await.unwrap() {
        let store = RedisStore::connect(&server.url()).await.unwrap();
        scenario(Store(store)).await;
    }
}

/// Handling of a call by the service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Service {
    pub(crate) status: u16,
    /// Status of the first response instead.
    pub(crate) first: Option<u16>,
    pub(crate) cost: u64,
    /// Cost of the first call instead.
    pub(crate) first_cost: Option<u64>,
    pub(crate) takes: Duration,
    pub(crate) retry_after: Option<u64>,
}

impl Service {
    pub(crate) fn charges(cost: u64) -> Self {
        Self {
            status: 200,
            first: None,
            cost,
            first_cost: None,
            takes: Duration::ZERO,
            retry_after: None,
        }
    }

    pub(crate) fn taking(self, takes: Duration) -> Self {
        Self { takes, ..self }
    }

    pub(crate) fn saying(status: u16) -> Self {
        Self {
            status,
            ..Self::charges(0)
        }
    }
}

/// Returns a client, and the number of sent requests.
pub(crate) fn client(account: &Account, service: Service) -> (Client, Arc<AtomicU64>) {
    let sent = Arc::<AtomicU64>::default();
    let count = Arc::clone(&sent);
    let transport = move |_: http::Request<Bytes>| {
        let is_first = count.fetch_add(1, Ordering::SeqCst) == 0;
        let status = service.first.filter(|_| is_first).unwrap_or(service.status);
        let cost = service
            .first_cost
            .filter(|_| is_first)
            .unwrap_or(service.cost);
        async move {
            sleep(service.takes).await;
            let mut response = http::Response::builder().status(status);
            if let Some(seconds) = service.retry_after.filter(|_| status != 200) {
                response = response.header("retry-after", seconds);
            }
            let body = match status {
                200 => format!(r#"{{"cost": {cost}}}"#),
                _ => String::new(),
            };
            Ok(response.body(Bytes::from(body)).unwrap())
        }
    };
    let client = ClientBuilder::new(&API, "https://example.com")
        .transport(transport)
        .account(account.clone())
        .max_in_flight(100)
        .deadline(SOON)
        .build()
        .unwrap();
    (client, sent)
}

/// Makes a call with a known price.
pub(crate) async fn call(
    client: &Client,
    price: u64,
) -> Result<Response<serde_json::Value>, Error> {
    let mut request = Request::new(&GET_THING);
    let mut options = CallOptions::default();
    options = options.price(credits(price));
    request.options(&options);
    client.send(request).await
}

/// Makes a call with an unknown price.
pub(crate) async fn call_unpriced(client: &Client) -> Result<Response<serde_json::Value>, Error> {
    client.send(Request::new(&GET_THING)).await
}

/// Waits until the account covers all calls of this process.
pub(crate) async fn flush(account: &Account) {
    account.flush(SOON * 3).await.unwrap();
}

/// Returns `[spent, reserved, at risk]` in whole credits, and the number of calls.
pub(crate) async fn sums(account: &Account) -> ([u64; 3], u64) {
    let usage = account.usage().await.unwrap().usage;
    let sums = [usage.spent, usage.reserved, usage.at_risk];
    (sums.map(|sum| sum.micros() / 1_000_000), usage.calls)
}
