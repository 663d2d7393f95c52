//! Connects to a server, and checks it.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::address::Address;
use super::connection::RedisStore;
use super::link::Link;
use super::notices::spread;
use crate::account::error::StoreError;

impl RedisStore {
    /// Connects to `redis://`, `rediss://` or `unix://`, and checks the server.
    ///
    /// `redis-sentinel://user:password@host:26379,host2:26379/mymaster/0` asks sentinels where the primary `mymaster` is, for each new
    /// connection and once a second. More than half of them must name the same one. The credentials are those of the server, and of sentinels
    /// that require them; they, the ports and the database may be left out. `rediss-sentinel://` connects to all of them with TLS. List all
    /// sentinels. An old primary that lives takes writes until a sentinel reaches it, and they are lost: with two replicas, `min-replicas-to-write 1`
    /// and `min-replicas-max-lag 2` it takes none two seconds after its replicas are gone.
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
        let address = Address::read(url)?;
        let is_followed = matches!(address, Address::Sentinels(_));
        let link = Arc::new(Link::new(address, runtime, sender));
        tokio::spawn(spread(pushes, Arc::downgrade(&link)));
        if is_followed {
            tokio::spawn(Link::follow(Arc::downgrade(&link)));
        }
        link.checked().await?;
        Ok(Self { link })
    }
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
            "redis-sentinel://:canary@127.0.0.1:1,127.0.0.1:1/main",
            "redis-sentinel://:canary@127.0.0.1:1/main/x",
            "redis-sentinel://:canary@127.0.0.1:x/main",
        ] {
            let error = RedisStore::connect(url).await.unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }
}
