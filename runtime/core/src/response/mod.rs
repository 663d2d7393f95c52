//! The response of a call besides its body, and the call history.
//!
//! ```
//! use generated_client::document::Operation;
//! use generated_client::request::Request;
//! use generated_client::response::{Attempt, Meta, SetAside, Undecoded, Unreadable};
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Response, StatusCode};
//! # use generated_client::document::Api;
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//! # static GET_NOTE: Operation = Operation::get("getNote", "/v1/note");
//!
//! /// Generated code decides how a body is decoded, for example by its status code.
//! fn read(response: &Undecoded) -> Result<Option<String>, Unreadable> {
//!     match response.status() {
//!         204 => response.nothing().map(|()| None),
//!         _ => response.text().map(Some),
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), generated_client::Error> {
//! let script = Script::new([Reply::new(429, "slow down"), Reply::new(200, "a note")]);
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(script).build()?;
//! let response: Response<Option<String>> = client.send_with(Request::new(&GET_NOTE), read).await?;
//! assert_eq!(response.body.as_deref(), Some("a note"));
//!
//! let left_out: &[SetAside] = response.set_aside();
//! assert!(left_out.is_empty());
//! let meta: &Meta = &response.meta;
//! assert_eq!((meta.status, meta.attempts), (StatusCode::OK, 2));
//! let earlier: &[Attempt] = meta.earlier_attempts();
//! assert_eq!(earlier[0].status, Some(StatusCode::TOO_MANY_REQUESTS));
//! # Ok(())
//! # }
//! ```

pub(crate) mod failure;
pub(crate) mod history;
pub(crate) mod request_id;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
pub(crate) mod response;
pub(crate) mod undecoded;

pub use crate::decode::set_aside::SetAside;
pub use history::Attempt;
pub use response::Meta;
pub use undecoded::{Undecoded, Unreadable};
