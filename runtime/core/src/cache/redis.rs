//! Responses in Redis or Valkey, for all processes that use one name.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redis::{Cmd, FromRedisValue, cmd};
use serde::{Deserialize, Serialize};

use super::entry::{Entry, millis};
use super::error::CacheError;
use super::store::{Leases, Step, Store};
use crate::account::RedisStore;

/// How long a response stays.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// Takes a lease that is free or the caller's. Its time is that of the server.
const CLAIM: &str = "
    local owner = redis.call('GET', KEYS[1])
    if owner and owner ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 1";
const RELEASE: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 0";

#[derive(Clone)]
pub(super) struct Redis {
    store: RedisStore,
    name: Arc<str>,
}

/// What is stored before the body: both are read at once.
#[derive(Serialize, Deserialize)]
struct Head {
    stored_at: u64,
    status: u16,
    headers: Vec<(String, String)>,
    record: Option<String>,
}

impl Redis {
    pub(super) fn new(store: RedisStore, name: &str) -> Self {
        Self {
            store,
            name: name.into(),
        }
    }

    fn key(&self, kind: &str, key: &str) -> String {
        format!("cache:{}:{kind}:{key}", self.name)
    }

    fn failed(&self, problem: impl ToString) -> CacheError {
        CacheError::new(&format!("`{}` in Redis", self.name), problem)
    }

    /// Sends a command on a task of its own: it is sent even if the future is dropped.
    fn send<T: FromRedisValue + Send + 'static>(&self, command: Cmd) -> Step<'static, T> {
        let redis = self.clone();
        let sent = tokio::spawn(async move {
            let reply = redis.store.query(&command).await;
            reply.map_err(|error| redis.failed(error))
        });
        let redis = self.clone();
        Box::pin(async move { sent.await.unwrap_or_else(|error| Err(redis.failed(error))) })
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
            let head: Head = serde_json::from_str(&head).map_err(|error| self.failed(error))?;
            Ok(Some(Entry {
                stored_at: head.stored_at,
                status: head.status,
                headers: head.headers,
                record: head.record,
                body: Bytes::from(body),
            }))
        })
    }

    fn put(&self, key: &str, _operation: &'static str, entry: Entry) -> Step<'static, ()> {
        let head = Head {
            stored_at: entry.stored_at,
            status: entry.status,
            headers: entry.headers,
            record: entry.record,
        };
        let head = serde_json::to_string(&head).unwrap_or_default();
        let mut put = cmd("EVAL");
        put.arg("redis.call('HSET', KEYS[1], 'head', ARGV[1], 'body', ARGV[2]) return redis.call('PEXPIRE', KEYS[1], ARGV[3])");
        put.arg(1).arg(self.key("response", key));
        put.arg(head).arg(&*entry.body).arg(millis(KEPT));
        let put = self.send::<i64>(put);
        Box::pin(async move { put.await.map(|_| ()) })
    }

    fn leases(&self) -> Option<&dyn Leases> {
        Some(self)
    }
}

impl Leases for Redis {
    fn claim(&self, key: &str, owner: u64, time: Duration) -> Step<'static, bool> {
        let mut claim = cmd("EVAL");
        claim.arg(CLAIM).arg(1).arg(self.key("lease", key));
        claim.arg(owner.to_string()).arg(millis(time));
        self.send(claim)
    }

    fn release(&self, key: &str, owner: u64) -> Step<'static, ()> {
        let mut release = cmd("EVAL");
        release.arg(RELEASE).arg(1).arg(self.key("lease", key));
        release.arg(owner.to_string());
        let release = self.send::<i64>(release);
        Box::pin(async move { release.await.map(|_| ()) })
    }
}
