//! What an OpenAPI 3.0 document says, as the generator needs it.
//! Works on JSON values with pointers; [`Model`] is what the emitters read.

mod auth;
mod envelope;
pub mod extensions;
mod hoist;
mod links;
mod model;
mod operation;
mod operations;
mod paging;
mod parameters;
mod prices;
mod reach;
mod resolve;
mod waiting;

pub use auth::Auth;
pub use envelope::Envelope;
pub use model::{Conversion, Hop, Model, Schema, Usage};
pub(crate) use model::{field_name, properties, reference};
pub use operation::{Body, Constraints, Operation, Parameter, ParameterType, Place};
pub use paging::{Branch, Pages};
pub(crate) use parameters::constraints;
pub use resolve::{METHODS, resolve};
pub use waiting::{Submission, Waits};
