//! Starting and stopping: a sandbox listens on loopback from `start` until it is dropped.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::http::HeaderValue;
use company_intel::Credits;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::bill::Bill;
use crate::calls::Call;
use crate::data::{Fixtures, World};
use crate::document::Document;
use crate::faults::{Connection, Connections, Fault, Script};
use crate::fitting::Shown;
use crate::hosts::{self, Hosts};
use crate::page;
use crate::routes::{self, Observer, PREFIX, Service};

const API_KEY: &str = "sandbox-key";

/// Which document describes what a sandbox sends. What it takes and what that costs is the same in both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The reconciled one: what the service was observed to send.
    #[default]
    Observed,
    /// What the provider publishes, where both disagree.
    Published,
}

/// How much data a sandbox has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Size {
    /// Six companies, which together show every field and every value.
    #[default]
    Small,
    /// 300 companies with 10,000 articles, 5,000 job posts and thousands of reviews, drawn by the seed.
    Large,
}

/// A running service. Dropping it lets open calls finish and stops listening.
pub struct Sandbox {
    pub(crate) service: Arc<Service>,
    address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

/// Collects what differs from an ordinary sandbox.
pub struct Builder {
    address: SocketAddr,
    hosts: Vec<String>,
    keys: Vec<String>,
    balance: Option<Credits>,
    faults: Vec<(String, Fault)>,
    latency: RangeInclusive<Duration>,
    patience: Duration,
    seed: u64,
    size: Size,
    dialect: Dialect,
    document: String,
    data: Option<PathBuf>,
    observer: Option<Observer>,
    fits: bool,
}

impl Sandbox {
    /// Starts a sandbox on a free port of 127.0.0.1, on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// As [`Builder::start`].
    pub async fn start() -> Result<Self> {
        Self::builder().start().await
    }

    /// Configures a sandbox.
    pub fn builder() -> Builder {
        Builder {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            hosts: Vec::new(),
            keys: Vec::new(),
            balance: None,
            faults: Vec::new(),
            latency: Duration::ZERO..=Duration::ZERO,
            patience: Duration::from_secs(30),
            seed: 0,
            size: Size::Small,
            dialect: Dialect::Observed,
            document: company_intel::OPENAPI.to_owned(),
            data: None,
            observer: None,
            fits: true,
        }
    }

    /// What a client takes as its base URL: `http://127.0.0.1:…/api`.
    pub fn base_url(&self) -> String {
        format!("http://{}{PREFIX}", self.address)
    }

    /// The key that calls must carry; the first one, if there are several.
    pub fn api_key(&self) -> &str {
        self.service.keys.first().map_or(API_KEY, String::as_str)
    }

    /// Makes a client of this sandbox, without a budget.
    ///
    /// # Errors
    ///
    /// The key is none that a header can carry.
    pub fn client(&self) -> Result<company_intel::Client, company_intel::Error> {
        let builder = company_intel::Client::builder(self.base_url());
        builder.api_key(self.api_key()).build()
    }

    /// Prefix of the environment variables that configure a client, as the document states it.
    pub fn environment(&self) -> &str {
        &self.service.document.environment
    }

    /// What was billed so far.
    pub fn bill(&self) -> Bill {
        self.service.bill().clone()
    }
}

impl Builder {
    /// Listens on this port instead of a free one.
    pub fn port(mut self, port: u16) -> Self {
        self.address.set_port(port);
        self
    }

    /// Listens on another address than 127.0.0.1. Whoever reaches it can call the sandbox.
    pub fn host(mut self, host: IpAddr) -> Self {
        self.address.set_ip(host);
        self
    }

    /// Responds under this name too, and not only under `localhost`, the addresses of loopback and the one that it listens on. Others get the
    /// status 421, so that no page of the web can call a sandbox by a name that it makes point here.
    pub fn allow_host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into());
        self
    }

    /// Expects this key instead of the usual one. Further keys are accounts of their own.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.keys.push(key.into());
        self
    }

    /// Gives each key so many credits. A call that costs more than is left is refused with the status 402, which is made up.
    pub fn balance(self, credits: Credits) -> Self {
        Self {
            balance: Some(credits),
            ..self
        }
    }

    /// Lets something go wrong with calls of an operation, by its id in the document or its name in the client; `*` is every operation.
    pub fn fault(mut self, operation: impl Into<String>, fault: Fault) -> Self {
        self.faults.push((operation.into(), fault));
        self
    }

    /// Responds to each call after a pause between these two.
    pub fn latency(self, latency: RangeInclusive<Duration>) -> Self {
        Self { latency, ..self }
    }

    /// How long the body of a request may take. Default: 30 seconds. A slower one gets the status 408.
    pub fn body_timeout(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Speaks as the published document says, and not as the service was observed to.
    pub fn dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// Has more data than those of six companies.
    pub fn size(self, size: Size) -> Self {
        Self { size, ..self }
    }

    /// Draws pauses, the calls of [`Fault::rate`] and the companies of [`Size::Large`] in another way.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Serves another document: OpenAPI 3.0 or 3.1 as YAML or JSON.
    pub fn document(self, yaml: impl Into<String>) -> Self {
        Self {
            document: yaml.into(),
            ..self
        }
    }

    /// Takes sample data from a folder: JSON files with the names and the form of those in the folder `data` of this package. What the
    /// folder lacks stays as it is.
    pub fn data(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            data: Some(folder.into()),
            ..self
        }
    }

    /// Calls this for every call, successful or refused, when its response is made: before its pause.
    pub fn on_call(self, observer: impl Fn(&Call) + Send + Sync + 'static) -> Self {
        Self {
            observer: Some(Box::new(observer)),
            ..self
        }
    }

    /// Serves the sample data as they are written, whatever the document says of them.
    #[cfg(test)]
    pub(crate) fn with_written_data(self) -> Self {
        Self {
            fits: false,
            ..self
        }
    }

    /// Starts the sandbox on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// The port is taken, the key cannot be sent in a header, or the document or the sample data are not some that the sandbox understands.
    pub async fn start(self) -> Result<Sandbox> {
        let mut keys = self.keys;
        if keys.is_empty() {
            keys.push(API_KEY.to_owned());
        }
        for key in &keys {
            HeaderValue::from_str(key).context("the key cannot be sent in a header")?;
        }
        let document = Document::parse(&self.document)?;
        let spoken = match self.dialect {
            Dialect::Observed => None,
            Dialect::Published => Some(Document::published()?),
        };
        let operations = document.operations.iter();
        let operations: Vec<_> = operations.map(|operation| operation.id.as_str()).collect();
        let faults = Script::new(self.faults, &operations)?;
        let fixtures = match &self.data {
            Some(folder) => Fixtures::of(folder)?,
            None => Fixtures::own(),
        };
        let world = match self.size {
            Size::Small => World::small(&fixtures)?,
            Size::Large => World::large(&fixtures, self.seed)?,
        };
        // A world of its own, for reading the samples submits companies. They are about a company of this package.
        let samples = World::small(&fixtures.with_own_companies())?;
        let shown = Shown::of(spoken.as_ref().unwrap_or(&document), &samples);
        let service = Arc::new(Service {
            document,
            spoken,
            shown,
            fits: self.fits,
            keys,
            balance: self.balance,
            faults,
            latency: self.latency,
            patience: self.patience,
            random: Mutex::new(fastrand::Rng::with_seed(self.seed)),
            world,
            bill: Mutex::default(),
            latest: Mutex::default(),
            observer: self.observer,
        });
        let listener = TcpListener::bind(self.address)
            .await
            .with_context(|| format!("listening on {}", self.address))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let router = routes::router(&service).merge(page::router(&service));
        let router = hosts::guarded(router, Hosts::new(address.ip(), self.hosts));
        let router = router.into_make_service_with_connect_info::<Connection>();
        tokio::spawn(async move {
            let server = axum::serve(Connections(listener), router);
            // The channel closes when the sandbox is dropped. Serving itself never fails.
            let _ = server
                .with_graceful_shutdown(async { drop(stopped.await) })
                .await;
        });
        Ok(Sandbox {
            service,
            address,
            _stop: stop,
        })
    }
}
