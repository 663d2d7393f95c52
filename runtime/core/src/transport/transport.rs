//! The trait of transports, for tests, recordings and other HTTP stacks.

use std::sync::Arc;

use bytes::Bytes;

use crate::error::TransportError;
use crate::future::BoxFuture;
use crate::transport::body_stream::BodyStream;
#[cfg(feature = "uploads")]
use crate::transport::request_body::RequestBody;

/// The result of a request.
pub type TransportResult = Result<http::Response<Bytes>, TransportError>;

/// The encoded names of a request's query parameters that are credentials. An extension of the request.
#[derive(Debug, Clone, Default)]
pub(crate) struct SecretQuery(pub(crate) Vec<String>);

/// Marks a request with a streamed body whose response is read completely. An extension of the request: the built-in transport limits the
/// time to its end.
#[cfg(feature = "uploads")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole;

/// Marks a response that a transport has without the service, such as one of a cache: nothing was sent, and its body tells an interceptor
/// nothing about this call. An extension of the response. [`TransportError::not_sent`] marks an error.
///
/// ```
/// use generated_client::transport::NotSent;
/// use generated_client::{Bytes, http};
///
/// fn from_cache(body: Bytes) -> http::Response<Bytes> {
///     let mut response = http::Response::new(body);
///     response.extensions_mut().insert(NotSent);
///     response
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotSent;

/// Sends one request and returns one response, whatever its status.
///
/// An implementation marks a response that it did not request as [`NotSent`], and an error as [`TransportError::not_sent`]. It never repeats a request, and follows no redirects if an
/// interceptor settles each attempt: only the client retries. Credentials are in headers that are marked as sensitive, or in the query of the
/// address: show neither the address nor the `Debug` output of the request. Closures from a request to a future implement the trait.
pub trait Transport: Send + Sync + 'static {
    /// Sends the request and reads the response to its end.
    ///
    /// # Errors
    ///
    /// There is no complete response. A status other than 2xx is not an error here. The part of a truncated response belongs in
    /// [`TransportError::with_partial`], because interceptors may need it.
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>>;

    /// Sends the request and returns a success as soon as its headers arrive, with the body as a stream.
    ///
    /// The default implementation reads the complete response first, by [`send`](Self::send).
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send), if the headers do not arrive. A truncated body is an error of its stream.
    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let sent = self.send(request);
        Box::pin(async { Ok(sent.await?.map(BodyStream::from)) })
    }

    /// Sends a request whose body is read while it is sent, for example from a file, and returns the response like
    /// [`send_stream`](Self::send_stream). It sends the body once, and follows no redirects.
    ///
    /// By default the complete body is read into memory first.
    ///
    /// # Errors
    ///
    /// As [`send_stream`](Self::send_stream), and if the body cannot be read.
    #[cfg(feature = "uploads")]
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = body.bytes().await?;
            self.send_stream(http::Request::from_parts(head, body))
                .await
        })
    }
}

impl<F, Fut> Transport for F
where
    F: Fn(http::Request<Bytes>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<http::Response<Bytes>, TransportError>> + Send + 'static,
{
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(self(request))
    }
}

impl Transport for Arc<dyn Transport> {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        (**self).send(request)
    }

    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        (**self).send_stream(request)
    }

    #[cfg(feature = "uploads")]
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        (**self).send_body(request)
    }
}
