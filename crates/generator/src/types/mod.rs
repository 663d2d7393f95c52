//! Schemas to Rust types: the engine makes them, passes finish them.
//! Goes in: a model. Comes out: one file's items, not yet formatted.

mod context;
pub(crate) mod docs;
mod engine;
mod make;
mod passes;
pub(crate) mod runtime;
mod rust_type;

pub use make::types;
pub use runtime::{Form, RuntimeType, runtime_type};
