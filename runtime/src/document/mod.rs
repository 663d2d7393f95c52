//! What generated code declares of an API: its operations, their prices, and the shapes of their responses.

pub(crate) mod api;
pub(crate) mod price;
pub(crate) mod security;
pub(crate) mod shape;

pub use api::{Api, Auth, Documented, Operation};
pub use price::{Presence, Price};
pub use security::{Carrier, OwnServer, Scheme, Security};
pub use shape::Shape;
