//! Schemas to Rust types.
//! Input: a model. Output: the items of one file, unformatted.

mod circles;
mod context;
mod conversions;
pub(crate) mod docs;
mod errors;
mod items;
mod macros;
mod make;
pub(crate) mod runtime;
pub(crate) mod rust_type;

pub(crate) use errors::error_types;
pub(crate) use items::{Hold, derives_left_out, is_collection};
pub(crate) use macros::subject;
pub use make::types;
pub(crate) use make::unparsed;
