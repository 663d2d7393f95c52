//! What a call gives back beside its body, and how it went.
//!
//! ```
//! use metered_client::document::{Operation, Shape};
//! use metered_client::request::Request;
//! use metered_client::response::{Attempt, Meta, SetAside, Undecoded, Unreadable};
//! use metered_client::testing::{Reply, Script};
//! use metered_client::{Client, ClientBuilder, Credits, Method, Outcome, Response, StatusCode};
//! # use metered_client::document::{Api, Auth};
//! # static API: Api = Api {
//! #     name: "example",
//! #     version: "1.2.3",
//! #     environment: "EXAMPLE",
//! #     base_url: None,
//! #     auth: Auth::None,
//! #     is_metered: true,
//! #     charge: Some("cost"),
//! # };
//! # static GET_NOTE: Operation = Operation { id: "getNote", method: Method::GET, path: "/v1/note", prices: &[], priced_by: &[], charge: None, response: &Shape::Any };
//!
//! /// Generated code says how a body is read, by its status code for example.
//! fn read(response: &Undecoded) -> Result<Option<String>, Unreadable> {
//!     match response.status() {
//!         204 => response.nothing().map(|()| None),
//!         _ => response.text().map(Some),
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), metered_client::Error> {
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
//! assert_eq!(earlier[0].outcome, Outcome::Rejected);
//! // The body reports no charge: the provider's account says what it was.
//! meta.settle(Credits::new(1));
//! # Ok(())
//! # }
//! ```

pub(crate) mod failure;
pub(crate) mod history;
pub(crate) mod request_id;
#[expect(
    clippy::module_inception,
    reason = "the room has the name of what comes out of it"
)]
pub(crate) mod response;
pub(crate) mod undecoded;

pub use crate::decode::aside::SetAside;
pub use history::Attempt;
pub use response::Meta;
pub use undecoded::{Undecoded, Unreadable};
