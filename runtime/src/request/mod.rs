//! A call before it is made: its arguments, checked, and what the caller says about it.
//!
//! Callers meet [`Body`], [`Multipart`] and [`Part`]; generated code fills the rest.

pub(crate) mod body;
pub(crate) mod extras;
pub(crate) mod form;
pub(crate) mod multipart;
pub(crate) mod options;
#[cfg(feature = "patterns")]
pub(crate) mod pattern;
#[expect(
    clippy::module_inception,
    reason = "the room has the name of what is made in it"
)]
pub(crate) mod request;
pub(crate) mod style;
mod tree;
mod validate;

pub use body::Body;
pub use extras::Extras;
pub use form::Form;
pub use multipart::{Multipart, Part};
pub use options::CallOptions;
#[cfg(feature = "patterns")]
pub use pattern::Pattern;
pub use request::Request;
pub use style::{ParameterStyle, Place, Style};
