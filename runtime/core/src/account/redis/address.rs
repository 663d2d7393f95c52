//! Where the server is: its address, or the sentinels that know it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "redis-tls")]
use redis::ConnectionAddr;
use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, IntoConnectionInfo, ProtocolVersion, RedisError, RedisResult,
};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::account::error::StoreError;

/// How long connecting to a server may take.
pub(super) const CONNECT: Duration = Duration::from_secs(2);

/// Where a primary listens, as sentinels say.
pub(super) type Primary = (String, u16);

/// The address of a store.
pub(super) enum Address {
    Server(Client),
    Sentinels(Sentinels),
}

/// Sentinels of one primary, which moves.
pub(super) struct Sentinels {
    sentinels: Vec<Sentinel>,
    /// The name of the primary.
    name: String,
    /// Parts of the URL of a server: what comes before its host, and its database.
    scheme: &'static str,
    credentials: String,
    database: String,
}

/// One of them, with the credentials of the server where it wants some.
#[derive(Clone)]
struct Sentinel {
    open: Client,
    locked: Option<Client>,
    connection: Arc<Mutex<Option<MultiplexedConnection>>>,
}

impl Address {
    /// Reads `redis://…`, `rediss://…`, `unix://…`, or `redis-sentinel://user:password@host:port,host:port/name/database`.
    pub(super) fn read(url: &str) -> Result<Self, StoreError> {
        match url.split_once("-sentinel://") {
            Some(("redis", rest)) => Sentinels::read("redis://", rest).map(Self::Sentinels),
            Some(("rediss", rest)) => Sentinels::read("rediss://", rest).map(Self::Sentinels),
            _ => client(url, ProtocolVersion::RESP3).map(Self::Server),
        }
    }

    /// Asks the sentinels, if the server has some.
    pub(super) async fn primary(&self) -> Result<Option<Primary>, StoreError> {
        match self {
            Self::Server(_) => Ok(None),
            Self::Sentinels(sentinels) => sentinels.primary().await.map(Some),
        }
    }

    /// Returns a client of the server, which is the primary if there are sentinels.
    pub(super) fn client(&self, primary: Option<&Primary>) -> Result<Client, StoreError> {
        match (self, primary) {
            (Self::Sentinels(sentinels), Some(primary)) => sentinels.client(primary),
            (Self::Sentinels(_), None) => Err(StoreError::new("no sentinel names a primary")),
            (Self::Server(client), _) => Ok(client.clone()),
        }
    }
}

impl Sentinels {
    fn read(scheme: &'static str, rest: &str) -> Result<Self, StoreError> {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (name, database) = path.split_once('/').unwrap_or((path, ""));
        // A password with a slash would be a part of the name, which errors show.
        if name.is_empty() || path.contains('@') {
            return Err(StoreError::new(
                "a URL of sentinels names the primary, as in `redis-sentinel://host:26379,host2:26379/mymaster`",
            ));
        }
        let (credentials, hosts) = match authority.rsplit_once('@') {
            Some((credentials, hosts)) => (format!("{credentials}@"), hosts),
            None => (String::new(), authority),
        };
        let sentinel = |host: &str| {
            let port = if host.ends_with(']') || !host.contains(':') {
                ":26379"
            } else {
                ""
            };
            let open = |credentials| {
                let url = format!("{scheme}{credentials}{host}{port}");
                client(&url, ProtocolVersion::RESP2)
            };
            let locked = Some(credentials.as_str()).filter(|credentials| !credentials.is_empty());
            Ok(Sentinel {
                open: open("")?,
                locked: locked.map(open).transpose()?,
                connection: Arc::default(),
            })
        };
        Ok(Self {
            sentinels: hosts.split(',').map(sentinel).collect::<Result<_, _>>()?,
            name: name.to_owned(),
            scheme,
            credentials,
            database: database.to_owned(),
        })
    }

    /// Returns the primary that more than half of the sentinels name: one that is cut off from the others may name an old one.
    async fn primary(&self) -> Result<Primary, StoreError> {
        let mut asked = JoinSet::new();
        for sentinel in &self.sentinels {
            let (sentinel, name) = (sentinel.clone(), self.name.clone());
            asked.spawn(async move { sentinel.primary(&name).await });
        }
        let mut named: HashMap<Primary, usize> = HashMap::new();
        let mut why = String::new();
        while let Some(reply) = asked.join_next().await {
            match reply {
                Ok(Ok(Some(primary))) => {
                    let count = named.entry(primary.clone()).or_default();
                    *count = count.saturating_add(1);
                    if *count > self.sentinels.len() / 2 {
                        return Ok(primary);
                    }
                }
                Ok(Ok(None)) => why = "; one watches no primary of this name".to_owned(),
                Ok(Err(error)) => why = format!("; {}", failed(error)),
                Err(_) => {}
            }
        }
        let most = named.values().max().copied().unwrap_or(0);
        Err(StoreError::new(format!(
            "{most} of {} sentinels name the same primary `{}`, which takes more than half{why}",
            self.sentinels.len(),
            self.name
        )))
    }

    fn client(&self, (host, port): &Primary) -> Result<Client, StoreError> {
        let Self {
            scheme,
            credentials,
            database,
            ..
        } = self;
        let host = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.clone()
        };
        let url = format!("{scheme}{credentials}{host}:{port}/{database}");
        client(&url, ProtocolVersion::RESP3)
    }
}

impl Sentinel {
    async fn primary(&self, name: &str) -> RedisResult<Option<Primary>> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = connection.as_mut()
            && let Ok(reply) = ask(connection, name).await
        {
            return Ok(reply);
        }
        let mut made = connect(&self.open).await?;
        let mut reply = ask(&mut made, name).await;
        if let (Err(error), Some(locked)) = (&reply, &self.locked)
            && error.code() == Some("NOAUTH")
        {
            made = connect(locked).await?;
            reply = ask(&mut made, name).await;
        }
        *connection = reply.is_ok().then_some(made);
        reply
    }
}

async fn connect(sentinel: &Client) -> RedisResult<MultiplexedConnection> {
    // Less than a step may take, which waits for both.
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT / 2))
        .set_response_timeout(Some(CONNECT / 2));
    let connecting = sentinel.get_multiplexed_async_connection_with_config(&config);
    connecting.await
}

async fn ask(sentinel: &mut MultiplexedConnection, name: &str) -> RedisResult<Option<Primary>> {
    let mut asking = redis::cmd("SENTINEL");
    asking.arg("GET-MASTER-ADDR-BY-NAME").arg(name);
    asking.query_async(sentinel).await
}

fn client(url: &str, protocol: ProtocolVersion) -> Result<Client, StoreError> {
    let info = url.into_connection_info().map_err(failed)?;
    #[cfg(feature = "redis-tls")]
    if matches!(info.addr(), ConnectionAddr::TcpTls { .. })
        && rustls::crypto::CryptoProvider::get_default().is_none()
    {
        return Err(StoreError::new(
            "no crypto provider is installed: install one of rustls 0.23 before connecting to `rediss://`",
        ));
    }
    let settings = info.redis_settings().clone().set_protocol(protocol);
    Client::open(info.set_redis_settings(settings)).map_err(failed)
}

/// Returns an error without the data that was sent.
pub(super) fn failed(error: RedisError) -> StoreError {
    StoreError::new(format!("Redis: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentinels_are_read_from_a_url() {
        for (url, sentinels, server) in [
            (
                "redis-sentinel://one/main",
                &["one:26379"][..],
                "1.2.3.4:5/0",
            ),
            (
                "redis-sentinel://u:p%2Fq@one:1,[::1],two/main/3",
                &["one:1", "::1:26379", "two:26379"],
                "1.2.3.4:5/3",
            ),
        ] {
            let Ok(Address::Sentinels(read)) = Address::read(url) else {
                panic!("{url}");
            };
            let addresses = read.sentinels.iter().map(|sentinel| {
                let info = sentinel.open.get_connection_info();
                assert_eq!(info.redis_settings().password(), None);
                info.addr().to_string()
            });
            assert_eq!(addresses.collect::<Vec<_>>(), sentinels);
            let client = read.client(&("1.2.3.4".to_owned(), 5)).unwrap();
            let info = client.get_connection_info();
            let settings = info.redis_settings();
            assert_eq!(format!("{}/{}", info.addr(), settings.db()), server);
            let password = url.contains('@').then_some("p/q");
            assert_eq!(settings.password(), password);
        }
        for url in [
            "redis-sentinel://one",
            "redis-sentinel://one/",
            "redis-sentinel://one,,two/main",
            "redis-sentinel://u:1/2@one/main",
        ] {
            assert!(Address::read(url).is_err(), "{url}");
        }
    }
}
