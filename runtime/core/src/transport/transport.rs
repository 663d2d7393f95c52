//! How requests reach the service. The seam for tests, recordings and other HTTP stacks.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;

use crate::error::TransportError;
use crate::transport::body_stream::BodyStream;
use crate::transport::request_body::RequestBody;

/// A boxed future, as [`Transport::send`] returns it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What comes of a request.
pub type TransportResult = Result<http::Response<Bytes>, TransportError>;

/// The names of the query parameters of a request that are credentials, encoded. An extension of the request.
#[derive(Debug, Clone, Default)]
pub(crate) struct SecretQuery(pub(crate) Vec<String>);

/// The response of a request with a body that is read while it is sent is wanted whole. An extension of the request: the built-in
/// transport bounds the time to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole;

/// Sends one request and gives back one response, whatever its status.
///
/// An implementation repeats nothing, and follows no redirect where an interceptor settles each attempt: the client above it decides on a
/// second attempt. The request
/// carries the credentials in headers that are marked as sensitive. Of an API whose key travels in the query, its address holds the key:
/// show neither that address nor the `Debug` output of the request. Closures from a request to a future are transports.
pub trait Transport: Send + Sync + 'static {
    /// Sends the request and reads the response to its end.
    ///
    /// # Errors
    ///
    /// When there is no whole response. A status that is not 2xx is no error here. What arrived of a response that breaks off belongs in
    /// [`TransportError::with_partial`]: an interceptor may need it.
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>>;

    /// Sends the request and returns a success as soon as its headers are there, with the body as a stream.
    ///
    /// By default the whole response is read first, as [`send`](Self::send) does.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send), when the headers do not arrive. A body that breaks off is an error of its stream.
    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let sent = self.send(request);
        Box::pin(async { Ok(sent.await?.map(BodyStream::from)) })
    }

    /// Sends a request whose body is read while it is sent, from a file for instance, and returns the response as
    /// [`send_stream`](Self::send_stream) does. It sends the body once, and follows no redirect with it.
    ///
    /// By default the whole body is read into memory first.
    ///
    /// # Errors
    ///
    /// As [`send_stream`](Self::send_stream), and when the body cannot be read.
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
    fn send_body(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        (**self).send_body(request)
    }
}
