//! Responses in Redis or Valkey, for all processes that use one name.

use std::future::ready;
use std::num::ParseIntError;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redis::{Cmd, FromRedisValue, cmd};
use tokio::runtime::Handle;

use super::cache::Cache;
use super::entry::{Entry, millis};
use super::error::CacheError;
use super::store::{Lease, Leases, Step, Store};
use crate::account::RedisStore;

/// How long a response stays.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How long a lease stays that nobody ends.
const LEASE: Duration = Duration::from_secs(60 * 60);
const PUT: &str = "
    redis.call('HSET', KEYS[1], 'head', ARGV[1], 'body', ARGV[2])
    return redis.call('PEXPIRE', KEYS[1], ARGV[3])";
/// Replaces a lease by another one, or by none if it is empty. Returns the one that was there.
const EXCHANGE: &str = "
    local found = redis.call('GET', KEYS[1]) or ''
    if found == ARGV[1] and ARGV[2] == '' then
        redis.call('DEL', KEYS[1])
    elseif found == ARGV[1] then
        redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    end
    return found";

impl Cache {
    /// Stores responses in Redis or Valkey, for all processes that use this name. They stay for 90 days.
    ///
    /// ```no_run
    /// use generated_client::account::RedisStore;
    /// use generated_client::cache::Cache;
    ///
    /// # async fn open() -> Result<(), generated_client::account::StoreError> {
    /// let store = RedisStore::connect("redis://127.0.0.1/").await?;
    /// let cache = Cache::in_redis(store, "things");
    /// # Ok(()) }
    /// ```
    pub fn in_redis(store: RedisStore, name: &str) -> Self {
        Self::shared(Redis::new(store, name))
    }
}

#[derive(Clone)]
struct Redis {
    store: RedisStore,
    name: Arc<str>,
}

impl Redis {
    fn new(store: RedisStore, name: &str) -> Self {
        Self {
            store,
            name: name.into(),
        }
    }

    fn key(&self, kind: &str, key: &str) -> String {
        format!("cache:{:?}:{kind}:{key}", self.name)
    }

    fn failed(&self, problem: impl ToString) -> CacheError {
        CacheError::new(&format!("`{}` in Redis", self.name), problem)
    }

    /// Sends a command on a task of its own: it is sent even if the future is dropped.
    fn send<T: FromRedisValue + Send + 'static>(&self, command: Cmd) -> Step<'static, T> {
        let redis = self.clone();
        let sending = async move {
            let reply = redis.store.query(&command).await;
            reply.map_err(|error| redis.failed(error))
        };
        let sent = match Handle::try_current() {
            Ok(runtime) => runtime.spawn(sending),
            Err(error) => return Box::pin(ready(Err(CacheError::no_runtime(error)))),
        };
        let redis = self.clone();
        Box::pin(async move { sent.await.unwrap_or_else(|error| Err(redis.failed(error))) })
    }
}

impl Redis {
    fn script(&self, text: &str, kind: &str, key: &str) -> Cmd {
        let mut script = cmd("EVAL");
        script.arg(text).arg(1).arg(self.key(kind, key));
        script
    }
}

impl Store for Redis {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Option<Entry>> {
        let mut get = cmd("HMGET");
        get.arg(self.key("response", key)).arg("head").arg("body");
        Box::pin(async move {
            let reply = self.store.query(&get).await;
            let (head, body): (Option<String>, Option<Vec<u8>>) =
                reply.map_err(|error| self.failed(error))?;
            let Some((head, body)) = head.zip(body) else {
                return Ok(None);
            };
            let entry: Entry = serde_json::from_str(&head).map_err(|error| self.failed(error))?;
            let body = Bytes::from(body);
            Ok(Some(Entry { body, ..entry }))
        })
    }

    fn put(&self, key: &str, _operation: &'static str, entry: Entry) -> Step<'static, ()> {
        let head = serde_json::to_string(&entry).unwrap_or_default();
        let mut put = self.script(PUT, "response", key);
        put.arg(head).arg(&*entry.body).arg(millis(KEPT));
        let put = self.send::<i64>(put);
        Box::pin(async move { put.await.map(drop) })
    }
}

impl Leases for Redis {
    fn exchange(
        &self,
        key: &str,
        expected: Option<Lease>,
        next: Option<Lease>,
    ) -> Step<'static, Option<Lease>> {
        let mut exchange = self.script(EXCHANGE, "lease", key);
        exchange
            .arg(text(expected))
            .arg(text(next))
            .arg(millis(LEASE));
        let exchanged = self.send::<String>(exchange);
        let redis = self.clone();
        Box::pin(async move {
            let found = exchanged.await?;
            lease(&found).map_err(|error| redis.failed(error))
        })
    }
}

/// Returns a lease as it is stored: its owner and its renewals; empty for none.
fn text(lease: Option<Lease>) -> String {
    lease.map_or_else(String::new, |Lease { owner, renewals }| {
        format!("{owner} {renewals}")
    })
}

fn lease(text: &str) -> Result<Option<Lease>, ParseIntError> {
    let Some((owner, renewals)) = text.split_once(' ') else {
        return Ok(None);
    };
    let (owner, renewals) = (owner.parse()?, renewals.parse()?);
    Ok(Some(Lease { owner, renewals }))
}
