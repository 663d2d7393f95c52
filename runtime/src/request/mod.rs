//! A call before it is made: its arguments, checked, and what the caller says about it.

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
