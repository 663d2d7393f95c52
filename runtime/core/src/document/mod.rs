//! The description of an API in generated code: its operations, and the shapes of their responses.
//!
//! ```
//! use generated_client::document::{
//!     Api, Auth, Carrier, Documented, Operation, OwnServer, Property, Scheme, Security, Shape,
//! };
//! use generated_client::request::Request;
//! use generated_client::ClientBuilder;
//!
//! static USUAL: Security = &[&["key"]];
//! static API: Api = Api {
//!     auth: Auth::Schemes {
//!         all: &[Scheme { name: "key", variable: "KEY", carrier: Carrier::Header("x-api-key") }],
//!         usual: USUAL,
//!     },
//!     ..Api::new("example", "1.2.3", "EXAMPLE")
//! };
//! static GET_THING: Operation = Operation::get("getThing", "/v1/thing").returns::<Thing>();
//! static ARCHIVE: OwnServer = OwnServer {
//!     url: "https://archive.example.com",
//!     beside: &["https://api.example.com"],
//! };
//!
//! struct Thing {
//!     name: String,
//! }
//! generated_client::wire::object!(Thing {
//!     name: required "name",
//! });
//!
//! impl Documented for Thing {
//!     fn operation() -> &'static Operation {
//!         &GET_THING
//!     }
//! }
//!
//! # fn main() -> Result<(), generated_client::Error> {
//! let client: generated_client::Client = ClientBuilder::new(&API, "https://api.example.com").build()?;
//! let mut request = Request::new(Thing::operation());
//! request.server(&ARCHIVE);
//! request.query("details", &true);
//! assert_eq!(request.operation().id, "getThing");
//! if let Shape::Object { properties, .. } = request.operation().response {
//!     let names: Vec<&str> = properties.iter().map(|property: &Property| property.name).collect();
//!     assert_eq!(names, ["name"]);
//! }
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "calls")]
pub(crate) mod api;
#[cfg(feature = "calls")]
pub(crate) mod security;
pub(crate) mod shape;
mod shaped;
#[cfg(feature = "metered")]
pub(crate) mod tariff;

#[cfg(feature = "calls")]
pub use api::{Api, Auth, Documented, Operation};
#[cfg(feature = "calls")]
pub use security::{Carrier, OwnServer, Scheme, Security};
pub use shape::{Property, Shape, ShapeOf, Shaped};
#[cfg(feature = "metered")]
pub use tariff::{Presence, Price, Tariff};
