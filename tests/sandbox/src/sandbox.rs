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

/// Document of the responses. Requests and prices are the same in both dialects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Dialect {
    /// The reconciled document: the observed responses of the service.
    #[default]
    Observed,
    /// The published document, where both disagree.
    Published,
}

/// Amount of data in a sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
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

/// Configures a sandbox.
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

    /// Returns the base URL for a client: `http://127.0.0.1:…/api`.
    pub fn base_url(&self) -> String {
        format!("http://{}{PREFIX}", self.address)
    }

    /// Returns the key that calls must carry; the first one, if there are several.
    pub fn api_key(&self) -> &str {
        self.service.keys.first().map_or(API_KEY, String::as_str)
    }

    /// Creates a client of this sandbox, without a budget.
    ///
    /// # Errors
    ///
    /// The key is not a valid header value.
    pub fn client(&self) -> Result<company_intel::Client, company_intel::Error> {
        let builder = company_intel::Client::builder(self.base_url());
        builder.api_key(self.api_key()).build()
    }

    /// Returns the documented prefix of the environment variables that configure a client.
    pub fn environment(&self) -> &str {
        &self.service.document.environment
    }

    /// Returns the bill so far.
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

    /// Listens on another address than 127.0.0.1. Anyone who can reach it can call the sandbox.
    pub fn host(mut self, host: IpAddr) -> Self {
        self.address.set_ip(host);
        self
    }

    /// Responds under this name, besides `localhost`, the addresses of loopback and the one that it listens on. Other names get
    /// status 421, so that no web page can call a sandbox by a name that resolves to this machine.
    pub fn allow_host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into());
        self
    }

    /// Expects this key instead of the usual one. Each further key is another account.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.keys.push(key.into());
        self
    }

    /// Gives each key this balance. A call that costs more than is left is refused with status 402, which is made up.
    pub fn balance(self, credits: Credits) -> Self {
        Self {
            balance: Some(credits),
            ..self
        }
    }

    /// Adds a fault to an operation, given by its identifier in the document or its name in the client; `*` is every operation.
    pub fn fault(mut self, operation: impl Into<String>, fault: Fault) -> Self {
        self.faults.push((operation.into(), fault));
        self
    }

    /// Responds to each call after a pause between these two.
    pub fn latency(self, latency: RangeInclusive<Duration>) -> Self {
        Self { latency, ..self }
    }

    /// Sets the timeout for the body of a request, after which it gets status 408. Default: 30 seconds.
    pub fn body_timeout(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Responds as in the published document, instead of as the service was observed to.
    pub fn dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// Has more data than that of six companies.
    pub fn size(self, size: Size) -> Self {
        Self { size, ..self }
    }

    /// Draws other pauses, other calls for [`Fault::rate`] and other companies of [`Size::Large`].
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Serves another state of the document.
    #[cfg(test)]
    pub(crate) fn document(self, yaml: impl Into<String>) -> Self {
        Self {
            document: yaml.into(),
            ..self
        }
    }

    /// Reads sample data from a folder: JSON files with the names and the form of those in the folder `data` of this package. Missing files
    /// are taken from the package.
    pub fn data(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            data: Some(folder.into()),
            ..self
        }
    }

    /// Sets an observer of every call, successful or refused. It is called before the pause of the response.
    pub fn on_call(self, observer: impl Fn(&Call) + Send + Sync + 'static) -> Self {
        Self {
            observer: Some(Box::new(observer)),
            ..self
        }
    }

    /// Serves the sample data unchanged, even where the document differs.
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
    /// The port is taken, the key is not a valid header value, or the document or the sample data are unsupported.
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
        // Reading the samples submits companies, so it uses a separate world. They are about a company of this package.
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
