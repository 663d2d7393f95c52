//! Client settings that accept tower services and layers.

use std::error::Error;
use std::sync::Arc;

use http_body::Body;
use tower_layer::Layer;
use tower_service::Service;

use crate::client::api_client::ApiClient;
use crate::client::builder::ClientBuilder;
use crate::transport::request_body::RequestBody;
use crate::transport::tower::{ServiceTransport, TransportService};

type BoxError = Box<dyn Error + Send + Sync>;

impl<C: ApiClient> ClientBuilder<C> {
    /// Replaces the transport by a tower service, such as another HTTP client or a router in a test.
    ///
    /// It follows the rules of a [`Transport`](crate::transport::Transport): it sends a request at most once. Each request goes to a clone
    /// as soon as that is ready. Clones must share their limits, as those of tower's `ConcurrencyLimit` do.
    ///
    /// ```
    /// # use generated_client::document::Api;
    /// # use generated_client::transport::RequestBody;
    /// # use generated_client::{Client, ClientBuilder, Error, http};
    /// # fn example(api: &'static Api) -> Result<Client, Error> {
    /// let service = tower::service_fn(|request: http::Request<RequestBody>| async move {
    ///     Ok::<_, std::convert::Infallible>(http::Response::new(request.uri().to_string()))
    /// });
    /// ClientBuilder::new(api, "https://api.example.com").service(service).build()
    /// # }
    /// ```
    #[must_use]
    pub fn service<S, B>(mut self, service: S) -> Self
    where
        S: Service<
                http::Request<RequestBody>,
                Response = http::Response<B>,
                Error: Into<BoxError>,
                Future: Send,
            > + Clone
            + Send
            + 'static,
        B: Body<Error: Into<BoxError>> + Send + 'static,
    {
        let make = |bounds| Arc::new(ServiceTransport::new(service, bounds)) as _;
        self.settings.http.transport = Some(Box::new(make));
        self
    }

    /// Wraps the current transport in a tower layer, as [`wrap`](Self::wrap) does with a transport. The layer sees each attempt with its
    /// credentials. The last of several layers and wraps is the outermost.
    ///
    /// The layer must send a request at most once: only the client retries. An error of the layer counts as a request that may have been
    /// sent.
    ///
    /// ```
    /// # use generated_client::document::Api;
    /// # use generated_client::{Client, ClientBuilder, Error};
    /// # fn example(api: &'static Api) -> Result<Client, Error> {
    /// ClientBuilder::new(api, "https://api.example.com")
    ///     .layer(tower::limit::ConcurrencyLimitLayer::new(2))
    ///     .layer(tower_http::trace::TraceLayer::new_for_http())
    ///     .build()
    /// # }
    /// ```
    #[must_use]
    pub fn layer<L, B>(mut self, layer: L) -> Self
    where
        L: Layer<TransportService> + Send + 'static,
        L::Service: Service<
                http::Request<RequestBody>,
                Response = http::Response<B>,
                Error: Into<BoxError>,
                Future: Send,
            > + Clone
            + Send
            + 'static,
        B: Body<Error: Into<BoxError>> + Send + 'static,
    {
        self.settings
            .http
            .wraps
            .push(Box::new(move |inner, bounds| {
                let service = layer.layer(TransportService(inner));
                Arc::new(ServiceTransport::new(service, bounds))
            }));
        self
    }
}
