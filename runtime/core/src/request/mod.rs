//! A call before it is sent: its checked arguments and its options.
//!
//! Callers use [`Body`], and the types of its parts and files; the rest is for generated code.
//!
//! ```
//! use std::time::Duration;
//!
//! use generated_client::document::Operation;
//! use generated_client::request::{
//!     Body, CallOptions, Form, Multipart, ParameterStyle, Part, Pattern, Place, Request, Style,
//! };
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Method};
//! # use generated_client::document::Api;
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//!
//! static SEND_THING: Operation = Operation::post("sendThing", "/v1/things/{id}");
//! static NAME: Pattern = Pattern::new("^[a-z]+$");
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), generated_client::Error> {
//! let mut options = CallOptions::default();
//! options.deadline = Some(Duration::from_secs(30));
//! options.extras.query("trace", &true);
//!
//! let mut request = Request::new(&SEND_THING);
//! request
//!     .options(&options)
//!     .require_pattern("id", "abc", &NAME)
//!     .path("id", &"abc")
//!     .parameter("colors", ParameterStyle::new(Place::Query, Style::Form), &["blue", "black"])
//!     .body(Body::form(&Form::of(&serde_json::json!({"name": "a thing"}), &[])));
//!
//! let script = Script::new([Reply::new(200, "{}"), Reply::new(200, "{}")]);
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(script.clone()).build()?;
//! client.send::<serde_json::Value>(request).await?;
//! let sent = script.sent();
//! assert_eq!(sent[0].path, "/v1/things/abc");
//! assert_eq!(sent[0].query, "colors=blue,black&trace=true");
//! assert_eq!(sent[0].body, "name=a%20thing");
//!
//! // Bodies other than JSON.
//! let mut parts = Multipart::new();
//! parts.file("photo", "image/jpeg", &Part::new(vec![0xff, 0xd8]).file_name("cat.jpg"));
//! client.raw(Method::POST, "/v1/photos").body(Body::multipart(&parts)).send::<serde_json::Value>().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Next: [errors](crate::error).

#[cfg(feature = "checks")]
mod argument_json;
pub(crate) mod body;
pub(crate) mod client_headers;
#[cfg(any(feature = "cache", feature = "journal"))]
pub(crate) mod comparison;
pub(crate) mod extras;
#[cfg(feature = "styles")]
pub(crate) mod form;
#[cfg(feature = "formats")]
pub(crate) mod format;
#[cfg(feature = "idempotency")]
pub(crate) mod idempotency;
pub(crate) mod message;
#[cfg(feature = "multipart")]
pub(crate) mod multipart;
pub(crate) mod options;
#[cfg(feature = "paging")]
mod pages;
#[cfg(feature = "patterns")]
pub(crate) mod pattern;
#[cfg(feature = "uploads")]
pub(crate) mod payload;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
pub(crate) mod request;
#[cfg(feature = "styles")]
pub(crate) mod style;
#[cfg(feature = "styles")]
mod tree;
#[cfg(feature = "checks")]
mod validate;

pub use body::Body;
#[doc(hidden)]
pub use extras::Extras;
#[cfg(feature = "styles")]
pub use form::Form;
#[cfg(feature = "formats")]
#[doc(hidden)]
pub use format::TextFormat;
#[cfg(feature = "idempotency")]
pub use idempotency::StoredKey;
#[cfg(feature = "multipart")]
pub use multipart::{Multipart, Part};
#[cfg(feature = "cache")]
pub use options::CacheControl;
pub use options::CallOptions;
#[cfg(feature = "patterns")]
#[doc(hidden)]
pub use pattern::Pattern;
#[cfg(feature = "uploads")]
pub use payload::Payload;
pub use request::Request;
#[cfg(feature = "styles")]
#[doc(hidden)]
pub use style::{ParameterStyle, Place, Style};
