//! Streamed response bodies: as chunks, as events, or line by line.
//!
//! ```
//! use generated_client::stream::{Event, EventForm, Events, Items, ResponseStream};
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Method};
//! # use generated_client::document::Api;
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), generated_client::Error> {
//! let script = Script::new([
//!     Reply::chunked(200, ["data: 1\n\nda", "ta: 2\n\n"]),
//!     Reply::chunked(200, ["{\"n\": 1}\n{\"n\"", ": 2}\n"]),
//!     Reply::chunked(200, ["data: 1\n\nda", "ta: [DONE]\n\n"]).header("content-type", "text/event-stream"),
//! ]);
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(script).build()?;
//!
//! let stream: ResponseStream = client.raw(Method::GET, "/v1/events").send_stream().await?;
//! let mut events: Events = stream.events();
//! let mut sum = 0;
//! while let Some(event) = events.next().await {
//!     let event: Event = event?;
//!     sum += event.data_as::<u32>()?;
//! }
//! assert_eq!(sum, 3);
//!
//! let stream = client.raw(Method::GET, "/v1/lines").send_stream().await?;
//! let mut lines: Items<serde_json::Value> = stream.json_lines();
//! let first = lines.next().await.transpose()?.unwrap();
//! assert_eq!(first["n"], 1);
//!
//! // Operations of generated crates have item types; here the caller sets one.
//! let stream = client.raw(Method::GET, "/v1/events").send_stream().await?;
//! let mut items: Items<u32> = stream.of(EventForm::Data).items();
//! assert_eq!(items.next().await.transpose()?, Some(1));
//! assert!(items.next().await.is_none());
//! # Ok(())
//! # }
//! ```
//!
//! Next: [waiting](crate::waiting).

pub(crate) mod events;
mod form;
mod items;
mod json_texts;
mod lines;
mod origin;
mod parser;
mod parts;
mod pump;
pub(crate) mod response_stream;

pub use events::{Event, Events};
#[doc(hidden)]
pub use form::EventForm;
pub use items::Items;
pub use response_stream::ResponseStream;
