//! Set-up of a client's transport, and of the headers of all requests.

use std::sync::Arc;

use http::header::{ACCEPT, HeaderMap, HeaderValue, USER_AGENT};

use crate::call::trace_context::TraceContext;
use crate::document::api::{Api, Auth};
use crate::error::ConfigurationError;
use crate::request::client_headers::ClientHeaders;
use crate::request::extras;
use crate::transport::base_url::BaseUrl;
use crate::transport::bounds::Bounds;
use crate::transport::network::{Configure, Network};
use crate::transport::options::HttpOptions;
use crate::transport::timeouts::Timeouts;
use crate::transport::transport::Transport;

type Wrap = Box<dyn FnOnce(Arc<dyn Transport>) -> Arc<dyn Transport> + Send>;

pub(super) struct HttpSettings {
    pub(super) user_agent: String,
    pub(super) default_headers: Vec<(String, String)>,
    pub(super) plain_hosts: Vec<String>,
    pub(super) transport: Option<Arc<dyn Transport>>,
    pub(super) configure: Vec<Configure>,
    /// The innermost comes first.
    pub(super) wraps: Vec<Wrap>,
    pub(super) timeouts: Timeouts,
    pub(super) bounds: Bounds,
    pub(super) options: HttpOptions,
    pub(super) trace_context: Option<TraceContext>,
}

impl HttpSettings {
    pub(super) fn new(api: &Api) -> Self {
        Self {
            user_agent: format!("{}/{}", api.name, api.version),
            default_headers: Vec::new(),
            plain_hosts: Vec::new(),
            transport: None,
            configure: Vec::new(),
            wraps: Vec::new(),
            timeouts: Timeouts::default(),
            bounds: Bounds::default(),
            options: HttpOptions::of(api.interceptor.is_some()),
            trace_context: None,
        }
    }

    /// Parses an address to which requests may be sent.
    pub(super) fn address(&self, address: &str) -> Result<BaseUrl, ConfigurationError> {
        BaseUrl::parse(address, &self.plain_hosts)
    }

    pub(super) fn headers(&self, auth: Auth) -> Result<ClientHeaders, ConfigurationError> {
        let mut own = HeaderMap::new();
        own.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let user_agent = HeaderValue::from_str(&self.user_agent).map_err(|_| {
            ConfigurationError::DefaultHeader {
                name: "user-agent".to_owned(),
                problem: "contains a character that is invalid in a header",
            }
        })?;
        own.insert(USER_AGENT, user_agent);
        let mut usual = HeaderMap::new();
        for (name, value) in &self.default_headers {
            let (header, value) = extras::header(name, value, auth).map_err(|problem| {
                let name = name.clone();
                ConfigurationError::DefaultHeader { name, problem }
            })?;
            usual.insert(header, value);
        }
        Ok(ClientHeaders { usual, own })
    }

    /// Sets up the transport. `plain_text`: requests may be sent unencrypted. `encrypted`: some must be encrypted.
    pub(super) fn transport(
        self,
        plain_text: bool,
        encrypted: bool,
    ) -> Result<Arc<dyn Transport>, ConfigurationError> {
        let Self {
            bounds,
            timeouts,
            options,
            ..
        } = self;
        let transport: Arc<dyn Transport> = match self.transport {
            Some(transport) => transport,
            None => Arc::new(Network::new(
                plain_text,
                encrypted,
                self.configure,
                timeouts,
                bounds,
                options,
                self.plain_hosts,
            )?),
        };
        let wraps = self.wraps.into_iter();
        Ok(wraps.fold(transport, |inner, wrap| wrap(inner)))
    }
}
