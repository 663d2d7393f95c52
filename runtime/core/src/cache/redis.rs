//! Responses in Redis or Valkey, for all processes that use one name.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redis::{Cmd, FromRedisValue, cmd};
use tokio::runtime::Handle;

use super::cache::Cache;
use super::entry::{Entry, millis};
use super::error::CacheError;
use super::store::{Claim, FAILED, Leases, Seen, Step, Store};
use crate::account::RedisStore;

/// How long a response stays.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How long a lease stays that nobody ends.
const LEASE: Duration = Duration::from_secs(60 * 60);
const PUT: &str = "
    redis.call('HSET', KEYS[1], 'head', ARGV[1], 'body', ARGV[2])
    return redis.call('PEXPIRE', KEYS[1], ARGV[3])";
/// Takes a lease that is free, the caller's, or dead: an owner and its renewals.
const CLAIM: &str = "
    local seen = redis.call('HMGET', KEYS[1], 'owner', 'renewals')
    local is_dead = seen[1] == ARGV[2] and seen[2] == ARGV[3]
    if seen[1] and seen[1] ~= ARGV[1] and not is_dead then return seen end
    redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'renewals', '0')
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return {}";
const RENEW: &str = "
    if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
        redis.call('HINCRBY', KEYS[1], 'renewals', 1)
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        return 1
    end
    return 0";
const END: &str = "
    if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
        if ARGV[2] == '' then
            redis.call('DEL', KEYS[1])
        else
            redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'renewals', ARGV[3])
        end
    end
    return 0";

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
        Self::new(Redis::new(store, name))
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

    fn send_only(&self, command: Cmd) -> Step<'static, ()> {
        let sent = self.send::<i64>(command);
        Box::pin(async move { sent.await.map(drop) })
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
        self.send_only(put)
    }

    fn leases(&self) -> Option<&dyn Leases> {
        Some(self)
    }
}

impl Leases for Redis {
    fn claim(&self, key: &str, owner: u64, dead: Option<Seen>) -> Step<'static, Claim> {
        let mut claim = self.script(CLAIM, "lease", key);
        let dead = dead.map(|dead| (dead.owner.to_string(), dead.renewals.to_string()));
        let (dead, renewals) = dead.unwrap_or_default();
        claim.arg(owner.to_string()).arg(dead).arg(renewals);
        claim.arg(millis(LEASE));
        let claimed = self.send::<Vec<String>>(claim);
        let redis = self.clone();
        Box::pin(async move {
            let seen = claimed.await?;
            let [owner, renewals] = seen.as_slice() else {
                return Ok(Claim::Own);
            };
            let seen = owner.parse().and_then(|owner| {
                let renewals = renewals.parse()?;
                Ok(Seen { owner, renewals })
            });
            let seen = seen.map_err(|error: std::num::ParseIntError| redis.failed(error))?;
            Ok(Claim::Other(seen))
        })
    }

    fn renew(&self, key: &str, owner: u64) -> Step<'static, bool> {
        let mut renew = self.script(RENEW, "lease", key);
        renew.arg(owner.to_string()).arg(millis(LEASE));
        let renewed = self.send::<i64>(renew);
        Box::pin(async move { Ok(renewed.await? == 1) })
    }

    fn end(&self, key: &str, owner: u64, has_failed: bool) -> Step<'static, ()> {
        let mut end = self.script(END, "lease", key);
        let failed = if has_failed {
            FAILED.to_string()
        } else {
            String::new()
        };
        // Two failed calls differ.
        end.arg(owner.to_string()).arg(failed).arg(owner >> 1);
        self.send_only(end)
    }
}
