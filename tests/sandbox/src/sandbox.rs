//! Starting and stopping: a sandbox listens on loopback from `start` until it is dropped.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use axum::http::HeaderValue;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::bill::Bill;
use crate::data::World;
use crate::document::Document;
use crate::fitting::Shown;
use crate::routes::{self, Call, Observer, PREFIX, Service};

const API_KEY: &str = "sandbox-key";

/// A running service. Dropping it lets open calls finish and stops listening.
pub struct Sandbox {
    pub(crate) service: Arc<Service>,
    address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

/// Collects what differs from an ordinary sandbox.
pub struct Builder {
    port: u16,
    api_key: String,
    document: String,
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
            port: 0,
            api_key: API_KEY.to_owned(),
            document: company_intel::OPENAPI.to_owned(),
            observer: None,
            fits: true,
        }
    }

    /// What a client takes as its base URL: `http://127.0.0.1:…/api`.
    pub fn base_url(&self) -> String {
        format!("http://{}{PREFIX}", self.address)
    }

    /// The key that calls must carry.
    pub fn api_key(&self) -> &str {
        &self.service.api_key
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
    pub fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// Expects another key.
    pub fn api_key(self, key: impl Into<String>) -> Self {
        Self {
            api_key: key.into(),
            ..self
        }
    }

    /// Serves another document: OpenAPI 3.0 or 3.1 as YAML or JSON.
    pub fn document(self, yaml: impl Into<String>) -> Self {
        Self {
            document: yaml.into(),
            ..self
        }
    }

    /// Calls this after every call, successful or refused.
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
    /// The port is taken, the key cannot be sent in a header, or the document is not one that the sandbox understands.
    pub async fn start(self) -> Result<Sandbox> {
        HeaderValue::from_str(&self.api_key).context("the key cannot be sent in a header")?;
        let document = Document::parse(&self.document)?;
        // Of its own: reading the samples submits companies.
        let shown = Shown::of(&document, &World::load()?);
        let service = Arc::new(Service {
            document,
            shown,
            fits: self.fits,
            api_key: self.api_key,
            world: World::load()?,
            bill: Mutex::default(),
            observer: self.observer,
        });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port))
            .await
            .with_context(|| format!("listening on port {}", self.port))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let router = routes::router(&service);
        tokio::spawn(async move {
            let server = axum::serve(listener, router);
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
