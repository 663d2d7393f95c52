//! What an OpenAPI 3.0 document says, as the generator needs it.
//! Works on JSON values with pointers; [`Model`] is what the emitters read.

pub mod extensions;
mod hoist;
mod model;
mod operations;
mod resolve;

pub(crate) use model::reference;
pub use model::{Auth, Conversion, Model, ScaledProperty, Schema, Usage};
pub use operations::{Body, Constraints, Operation, Parameter, ParameterType, Place};
pub use resolve::{METHODS, resolve};
