//! A call before it is made: its arguments, checked, and what the caller says about it.

pub(crate) mod options;
#[expect(
    clippy::module_inception,
    reason = "the room has the name of what is made in it"
)]
pub(crate) mod request;
mod validate;
