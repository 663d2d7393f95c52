//! What generated code declares of an API: its operations, their prices, and the shapes of their responses.
//!
//! ```
//! use metered_client::document::{
//!     Api, Auth, Carrier, Documented, Operation, OwnServer, Presence, Price, Scheme, Security, Shape,
//! };
//! use metered_client::request::Request;
//! use metered_client::{ClientBuilder, Credits, Method};
//!
//! static USUAL: Security = &[&["key"]];
//! static API: Api = Api {
//!     name: "example",
//!     version: "1.2.3",
//!     environment: "EXAMPLE",
//!     base_url: None,
//!     auth: Auth::Schemes {
//!         all: &[Scheme { name: "key", variable: "KEY", carrier: Carrier::Header("x-api-key") }],
//!         usual: USUAL,
//!     },
//!     is_metered: true,
//!     charge: Some("cost"),
//! };
//! static THING: Shape = Shape::Object {
//!     fields: &[("name", &Shape::Text)],
//!     required: &["name"],
//!     aliases: &[],
//!     others: None,
//! };
//! static GET_THING: Operation = Operation {
//!     id: "getThing",
//!     method: Method::GET,
//!     path: "/v1/thing",
//!     // Two credits with `details`, and half a credit without.
//!     prices: &[
//!         Price { credits: Credits::new(2), when: &[("details", Presence::Present)] },
//!         Price { credits: Credits::from_micros(500_000), when: &[("details", Presence::Absent)] },
//!     ],
//!     priced_by: &[],
//!     charge: None,
//!     response: &THING,
//! };
//! static ARCHIVE: OwnServer = OwnServer {
//!     url: "https://archive.example.com",
//!     beside: &["https://api.example.com"],
//! };
//!
//! #[derive(serde::Deserialize)]
//! struct Thing {
//!     name: String,
//! }
//!
//! impl Documented for Thing {
//!     fn operation() -> &'static Operation {
//!         &GET_THING
//!     }
//!
//!     fn charge() -> Option<&'static str> {
//!         API.charge
//!     }
//! }
//!
//! # fn main() -> Result<(), metered_client::Error> {
//! let client: metered_client::Client = ClientBuilder::new(&API, "https://api.example.com").build()?;
//! let mut request = Request::new(Thing::operation());
//! request.server(&ARCHIVE);
//! assert_eq!(client.quote(&request).at_most, Some(Credits::from_micros(500_000)));
//! request.query("details", &true);
//! assert_eq!(client.quote(&request).at_most, Some(Credits::new(2)));
//! # Ok(())
//! # }
//! ```

pub(crate) mod api;
pub(crate) mod price;
pub(crate) mod security;
pub(crate) mod shape;

pub use api::{Api, Auth, Documented, Operation, PLAIN_API, PLAIN_OPERATION};
pub use price::{Presence, Price};
pub use security::{Carrier, OwnServer, Scheme, Security};
pub use shape::Shape;
