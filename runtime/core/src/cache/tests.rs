//! A process that slept: another one has taken its lease.

use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Response};
use serde_json::Value;

use super::cache::Cache;
use super::entry::Entry;
use super::store::{Claim, Leases, Seen, Step, Store};
use crate::client::builder::ClientBuilder;
use crate::client::client::Client;
use crate::document::{Api, Auth};
use crate::error::Error;
use crate::future::BoxFuture;
use crate::lock::lock;
use crate::testing::Script;

static API: Api = Api {
    name: "calls",
    version: "1.2.3",
    environment: "CALLS",
    base_url: None,
    auth: Auth::None,
    interceptor: None,
    operations: &[],
};

/// The end of the call of the other process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Other {
    Stores,
    Fails,
}

/// A store in which the first lease is lost before it is looked at again.
struct Sleeping {
    other: Other,
    /// How often the lease was claimed.
    claims: Mutex<u32>,
}

fn done<T: Send + 'static>(value: T) -> Step<'static, T> {
    Box::pin(std::future::ready(Ok(value)))
}

impl Store for Sleeping {
    fn get<'a>(&'a self, _key: &'a str) -> Step<'a, Option<Entry>> {
        let is_stored = self.other == Other::Stores && *lock(&self.claims) > 2;
        let response = Response::new(Bytes::from("17"));
        done(is_stored.then(|| Entry::new(&response, None)))
    }

    fn put(&self, _key: &str, _operation: &'static str, _entry: Entry) -> Step<'static, ()> {
        done(())
    }

    fn leases(&self) -> Option<&dyn Leases> {
        Some(self)
    }
}

impl Leases for Sleeping {
    fn claim(&self, _key: &str, _owner: u64, _dead: Option<Seen>) -> Step<'static, Claim> {
        let mut claims = lock(&self.claims);
        *claims += 1;
        let owner = match (*claims, self.other) {
            (1, _) => return done(Claim::Own),
            (2, Other::Stores) => 7,
            // The other one has stored its response, and ended its lease.
            (_, Other::Stores) => return done(Claim::Own),
            (_, Other::Fails) => 0,
        };
        done(Claim::Other(Seen { owner, renewals: 1 }))
    }

    fn renew(&self, _key: &str, _owner: u64) -> Step<'static, bool> {
        done(false)
    }

    fn end(&self, _key: &str, _owner: u64, _has_failed: bool) -> Step<'static, ()> {
        done(())
    }
}

fn call(other: Other, script: &Script) -> BoxFuture<'static, Result<Value, Error>> {
    let store = Sleeping {
        other,
        claims: Mutex::default(),
    };
    let cache = Cache::new(store).max_age(Duration::from_secs(60));
    let client = ClientBuilder::<Client>::new(&API, "https://api.example.com");
    let client = client.cache(cache).transport(script.clone());
    let client = client.build().unwrap();
    Box::pin(async move {
        let sent = client.raw(Method::GET, "/thing").send::<Value>().await;
        sent.map(|response| response.body)
    })
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_was_lost_is_noticed_before_anything_is_sent() {
    let script = Script::new([]);
    assert_eq!(call(Other::Stores, &script).await.unwrap(), 17);
    let error = call(Other::Fails, &script).await.unwrap_err();
    assert!(
        error.to_string().contains("may have been processed"),
        "{error}"
    );
    assert!(script.sent().is_empty());
}
