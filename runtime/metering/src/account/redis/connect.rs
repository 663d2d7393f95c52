//! Connecting, and what a server must be able to do.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

#[cfg(feature = "redis-tls")]
use redis::ConnectionAddr;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, IntoConnectionInfo, ProtocolVersion, PushInfo, PushKind, Value};
use tokio::sync::{broadcast, mpsc};

use super::connection::{Readers, RedisStore, failed, prefix};
use crate::account::error::StoreError;
use crate::account::id::ReservationId;
use crate::account::store::Notice;

/// How long a step may take before its reply counts as lost.
const STEP: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(2);
const OLDEST: (u32, u32) = (6, 2);
/// How many messages a reader may be behind. Those who miss one look again by themselves.
const BEHIND: usize = 1024;

impl RedisStore {
    /// Connects to `redis://`, `rediss://` or `unix://`, and checks the server.
    ///
    /// `rediss://` needs the feature `redis-tls`, and a crypto provider of rustls 0.23 that the program has installed.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, is older than Redis 6.2, is a replica, evicts keys when its memory is full, or is a node of a
    /// cluster, where another node may have the account.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let info = url.into_connection_info().map_err(failed)?;
        #[cfg(feature = "redis-tls")]
        if matches!(info.addr(), ConnectionAddr::TcpTls { .. })
            && rustls::crypto::CryptoProvider::get_default().is_none()
        {
            return Err(StoreError::new(
                "no crypto provider is installed: install one of rustls 0.23 before connecting to `rediss://`",
            ));
        }
        let settings = info
            .redis_settings()
            .clone()
            .set_protocol(ProtocolVersion::RESP3);
        let client = Client::open(info.set_redis_settings(settings)).map_err(failed)?;
        let (sender, pushes) = mpsc::unbounded_channel();
        let config = ConnectionManagerConfig::new()
            .set_push_sender(sender)
            .set_automatic_resubscription()
            .set_response_timeout(Some(STEP))
            .set_connection_timeout(Some(CONNECT))
            .set_max_delay(Duration::from_secs(1))
            .set_number_of_retries(2);
        let connection = ConnectionManager::new_with_config(client, config)
            .await
            .map_err(failed)?;
        let store = Self {
            connection,
            readers: Readers::default(),
            made: Arc::new(AtomicU64::new(1)),
            checked: Arc::default(),
        };
        let (readers, made) = (Arc::clone(&store.readers), Arc::clone(&store.made));
        tokio::spawn(spread(pushes, readers, made));
        store.check().await?;
        Ok(store)
    }

    /// Checks the server, once for each connection: after a failover it may be another one.
    pub(super) async fn check(&self) -> Result<(), StoreError> {
        let made = self.made.load(Ordering::Acquire);
        if self.checked.load(Ordering::Acquire) == made {
            return Ok(());
        }
        let mut connection = self.connection.clone();
        let about: String = redis::cmd("INFO")
            .query_async(&mut connection)
            .await
            .map_err(failed)?;
        fitness(&about)?;
        self.checked.store(made, Ordering::Release);
        Ok(())
    }

    /// Subscribes to the channels of an account: that of all processes, and that of the turns of this one.
    pub(super) async fn subscribe(
        &self,
        account: &str,
    ) -> Result<broadcast::Receiver<Notice>, StoreError> {
        let prefix = prefix(account);
        let notices = format!("{prefix}notices");
        let turns = format!("{prefix}turns:{}", ReservationId::process());
        let receiver = {
            let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            let sender = readers.entry(notices.clone());
            let sender = sender.or_insert_with(|| broadcast::Sender::new(BEHIND));
            let (receiver, sender) = (sender.subscribe(), sender.clone());
            readers.insert(turns.clone(), sender);
            receiver
        };
        let mut connection = self.connection.clone();
        let subscribed = connection.subscribe(&[notices, turns]).await;
        subscribed.map(|()| receiver).map_err(failed)
    }
}

/// Passes messages on until the connection is gone for good, and counts the connections.
async fn spread(
    mut pushes: mpsc::UnboundedReceiver<PushInfo>,
    readers: Readers,
    made: Arc<AtomicU64>,
) {
    while let Some(push) = pushes.recv().await {
        if push.kind == PushKind::Disconnection {
            made.fetch_add(1, Ordering::AcqRel);
        }
        if push.kind != PushKind::Message {
            continue;
        }
        let mut parts = push.data.into_iter().filter_map(text);
        let (Some(channel), Some(message)) = (parts.next(), parts.next()) else {
            continue;
        };
        let notice = match message.split_once(' ') {
            Some(("turn", id)) => id.parse().ok().map(Notice::Turn),
            Some(("cool", left)) => left
                .parse()
                .ok()
                .map(|left| Notice::CoolDown(Duration::from_millis(left))),
            None if message == "ended" => Some(Notice::CoolDownEnded),
            _ => None,
        };
        let readers = readers.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(reader), Some(notice)) = (readers.get(&channel), notice) {
            // Fails only without a receiver.
            _ = reader.send(notice);
        }
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::BulkString(bytes) => String::from_utf8(bytes).ok(),
        Value::SimpleString(text) => Some(text),
        _ => None,
    }
}

/// Checks whether a server with these properties can store accounts.
fn fitness(about: &str) -> Result<(), StoreError> {
    let fact = |name: &str| {
        about.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key == name).then(|| value.trim())
        })
    };
    let refuse = |why: String| Err(StoreError::new(why));
    // Valkey says a version of Redis too, for programs that ask.
    let version = fact("redis_version").unwrap_or_default();
    let mut parts = version.split('.').map_while(|part| part.parse().ok());
    let found = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if found < OLDEST {
        let (major, minor) = OLDEST;
        return refuse(format!(
            "the server is Redis {version}; accounts need {major}.{minor} or later, or Valkey"
        ));
    }
    if fact("role").is_some_and(|role| role != "master") {
        return refuse("the server is a replica: connect to its primary".to_owned());
    }
    if fact("cluster_enabled") == Some("1") {
        return refuse("the server is a node of a cluster, where another node may have the account: give accounts a server of their own".to_owned());
    }
    let evicts = fact("maxmemory_policy").is_some_and(|policy| policy != "noeviction");
    if evicts && fact("maxmemory").is_some_and(|bytes| bytes != "0") {
        return refuse("the server evicts keys when its memory is full, and would forget what was spent: set `maxmemory-policy noeviction`".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_error_has_the_password() {
        for url in [
            "rediss://:canary@127.0.0.1:1/",
            "redis://:canary@127.0.0.1:1/",
            "redis://canary",
            "canary",
            "redis://u:canary@[::1]:1/x",
        ] {
            let error = RedisStore::connect(url).await.unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }

    #[test]
    fn it_says_what_it_cannot_work_with() {
        for (about, said) in [
            (
                "redis_version:7.0.15\r\nrole:master\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n",
                None,
            ),
            (
                "redis_version:7.2.4\r\nvalkey_version:8.0.1\r\nrole:master\r\n",
                None,
            ),
            (
                "redis_version:6.2.0\r\nrole:master\r\nmaxmemory:9\r\nmaxmemory_policy:noeviction\r\n",
                None,
            ),
            (
                "redis_version:6.0.16\r\nrole:master\r\n",
                Some("6.2 or later"),
            ),
            ("", Some("6.2 or later")),
            (
                "redis_version:7.0.15\r\nrole:slave\r\n",
                Some("its primary"),
            ),
            (
                "redis_version:7.0.15\r\nrole:master\r\ncluster_enabled:1\r\n",
                Some("cluster"),
            ),
            (
                "redis_version:7.0.15\r\nrole:master\r\nmaxmemory:9\r\nmaxmemory_policy:volatile-ttl\r\n",
                Some("noeviction"),
            ),
        ] {
            let result = fitness(about);
            match said {
                None => result.unwrap(),
                Some(said) => assert!(result.unwrap_err().to_string().contains(said), "{about}"),
            }
        }
    }
}
