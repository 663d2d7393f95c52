//! Connects to a server, and checks it.

use std::sync::Arc;

#[cfg(feature = "redis-tls")]
use redis::ConnectionAddr;
use redis::{Client, IntoConnectionInfo, ProtocolVersion};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::connection::{Engine, RedisStore};
use super::link::{Link, failed};
use super::turns::spread;
use crate::account::error::StoreError;

impl RedisStore {
    /// Connects to `redis://`, `rediss://` or `unix://`, and checks the server.
    ///
    /// Each new connection looks up the address again, so a name or an address that moves to a replica is followed. A primary that was replaced and
    /// lives may take writes, which are lost: with two replicas, `min-replicas-to-write 1` and `min-replicas-max-lag 2` it takes none two seconds
    /// after its replicas are gone.
    ///
    /// TLS needs the feature `redis-tls`, and a crypto provider of rustls 0.23 that the program has installed.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, is older than Redis 6.2, is a replica, evicts keys when its memory is full (`maxmemory-policy noeviction`
    /// does not), or is a node of a cluster, which moves accounts between its nodes.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let runtime = Handle::try_current()
            .map_err(|_| StoreError::new("a connection needs a Tokio runtime"))?;
        let (sender, pushes) = mpsc::unbounded_channel();
        let link = Arc::new(Link::new(client(url)?, runtime, sender));
        tokio::spawn(spread(pushes, Arc::downgrade(&link)));
        link.checked().await?;
        Ok(Self {
            engine: Engine::Server(link),
        })
    }
}

fn client(url: &str) -> Result<Client, StoreError> {
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
    Client::open(info.set_redis_settings(settings)).map_err(failed)
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
            "redis-sentinel://:canary@127.0.0.1:1/main",
        ] {
            let error = RedisStore::connect(url).await.unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }
}
