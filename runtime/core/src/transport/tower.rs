//! Tower services as transports, and transports as tower services.

use std::error::Error;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::Body;
use tower_service::Service;

use crate::error::TransportError;
use crate::future::BoxFuture;
use crate::lock::lock;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::{Bounds, whole};
use crate::transport::request_body::RequestBody;
use crate::transport::transport::{Transport, TransportResult, Whole};

type BoxError = Box<dyn Error + Send + Sync>;

/// A transport as a tower service, for [`ClientBuilder::layer`](crate::ClientBuilder::layer).
///
/// ```
/// # use generated_client::document::Api;
/// use generated_client::transport::{RequestBody, TransportService};
/// use generated_client::{Client, ClientBuilder, Error, http};
/// use tower::{Service, service_fn};
///
/// # fn example(api: &'static Api) -> Result<Client, Error> {
/// let printing = tower::layer::layer_fn(|service: TransportService| {
///     service_fn(move |request: http::Request<RequestBody>| {
///         println!("{} {}", request.method(), request.uri().path());
///         service.clone().call(request)
///     })
/// });
/// ClientBuilder::new(api, "https://api.example.com").layer(printing).build()
/// # }
/// ```
#[derive(Clone)]
pub struct TransportService(pub(crate) Arc<dyn Transport>);

impl<B> Service<http::Request<B>> for TransportService
where
    B: Body<Error: Into<BoxError>> + Send + 'static,
{
    type Response = http::Response<BodyStream>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Self::Response, TransportError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let transport = Arc::clone(&self.0);
        let is_whole = request.extensions().get::<Whole>().is_some();
        let (head, body) = request.into_parts();
        let body = RequestBody::wrap(body).whole();
        Box::pin(async move {
            match body {
                Ok(body) if is_whole => {
                    let request = http::Request::from_parts(head, body);
                    Ok(transport.send(request).await?.map(BodyStream::from))
                }
                Ok(body) => {
                    let request = http::Request::from_parts(head, body);
                    transport.send_stream(request).await
                }
                Err(body) => {
                    let request = http::Request::from_parts(head, body);
                    transport.send_body(request).await
                }
            }
        })
    }
}

type Exchanged = Result<http::Response<BodyStream>, TransportError>;

/// A tower service as a transport. Each request goes to a clone as soon as that is ready.
pub(crate) struct ServiceTransport {
    exchange:
        Box<dyn Fn(http::Request<RequestBody>) -> BoxFuture<'static, Exchanged> + Send + Sync>,
    bounds: Bounds,
}

impl ServiceTransport {
    pub(crate) fn new<S, B>(service: S, bounds: Bounds) -> Self
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
        // One thread at a time clones it.
        let service = Mutex::new(service);
        let exchange = move |request| -> BoxFuture<'static, Exchanged> {
            let mut service = lock(&service).clone();
            Box::pin(async move {
                let ready = poll_fn(|context| service.poll_ready(context)).await;
                ready.map_err(failed)?;
                let response = service.call(request).await.map_err(failed)?;
                Ok(response.map(BodyStream::of_body))
            })
        };
        Self {
            exchange: Box::new(exchange),
            bounds,
        }
    }
}

impl Transport for ServiceTransport {
    fn send(&self, mut request: http::Request<Bytes>) -> BoxFuture<'_, TransportResult> {
        request.extensions_mut().insert(Whole);
        let exchanged = (self.exchange)(request.map(RequestBody::from));
        Box::pin(async {
            let response = exchanged.await?;
            let limit = self.bounds.of(response.status());
            whole(response, limit).await
        })
    }

    fn send_stream(&self, request: http::Request<Bytes>) -> BoxFuture<'_, Exchanged> {
        (self.exchange)(request.map(RequestBody::from))
    }

    fn send_body(&self, request: http::Request<RequestBody>) -> BoxFuture<'_, Exchanged> {
        (self.exchange)(request)
    }
}

/// Converts the error of a service. Only errors of a transport are trusted to know that nothing was sent.
fn failed(error: impl Into<BoxError>) -> TransportError {
    let error = match error.into().downcast::<TransportError>() {
        Ok(error) => return *error,
        Err(error) => error,
    };
    let chain = std::iter::successors(error.source(), |&error| error.source()).take(32);
    let mut known = chain.filter_map(|error| error.downcast_ref::<TransportError>());
    let kind = match known.next().map(TransportError::kind) {
        None | Some(TransportErrorKind::Connect) => TransportErrorKind::Other,
        Some(kind) => kind,
    };
    TransportError::new(kind, error)
}
