//! The transport that sends requests, and the trait of custom transports.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use generated_client::error::TransportError;
//! use generated_client::testing::{Reply, Script};
//! use generated_client::transport::{BodyStream, BoxFuture, Transport, server_url};
//! use generated_client::{Bytes, Client, ClientBuilder, Method, http};
//! # use generated_client::document::Api;
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//!
//! /// Counts the requests that another transport sends.
//! struct Counting {
//!     inner: Arc<dyn Transport>,
//!     count: Arc<AtomicU64>,
//! }
//!
//! impl Transport for Counting {
//!     fn send(
//!         &self,
//!         request: http::Request<Bytes>,
//!     ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
//!         self.count.fetch_add(1, Ordering::Relaxed);
//!         self.inner.send(request)
//!     }
//!
//!     // Without this method, streams would be read completely first.
//!     fn send_stream(
//!         &self,
//!         request: http::Request<Bytes>,
//!     ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
//!         self.count.fetch_add(1, Ordering::Relaxed);
//!         self.inner.send_stream(request)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), generated_client::Error> {
//! let count = Arc::new(AtomicU64::new(0));
//! let counted = Arc::clone(&count);
//! let address = server_url("https://{region}.example.com", &[("region", "eu", "us")]);
//! let client: Client = ClientBuilder::new(&API, address)
//!     .transport(Script::new([Reply::new(200, "{}")]))
//!     .wrap(move |inner| Counting { inner, count })
//!     .build()?;
//! client.raw(Method::GET, "/v1/things").send::<serde_json::Value>().await?;
//! assert_eq!(counted.load(Ordering::Relaxed), 1);
//! # Ok(())
//! # }
//! ```

pub(crate) mod base_url;
pub(crate) mod body_stream;
pub(crate) mod bounds;
pub(crate) mod clock;
#[cfg(feature = "compression")]
pub(crate) mod decompression;
pub(crate) mod encode;
pub(crate) mod network;
pub(crate) mod options;
pub(crate) mod redirects;
#[cfg(feature = "uploads")]
pub(crate) mod request_body;
#[cfg(feature = "styles")]
pub(crate) mod reserved;
pub(crate) mod secrets;
pub(crate) mod server_url;
pub(crate) mod timeouts;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its trait"
)]
pub(crate) mod transport;
#[cfg(feature = "uploads")]
pub(crate) mod upload;

pub use crate::future::BoxFuture;
pub use body_stream::BodyStream;
#[cfg(feature = "uploads")]
pub use request_body::RequestBody;
pub use server_url::server_url;
pub use transport::{NotSent, Transport, TransportResult};
