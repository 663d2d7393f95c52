//! The client, and how it is set up: which API, with which credentials.

pub(crate) mod api_client;
pub(crate) mod builder;
#[cfg(feature = "tower")]
mod builder_tower;
mod builder_travel;
#[expect(
    clippy::module_inception,
    reason = "the room has the name of what it makes"
)]
pub(crate) mod client;
mod environment;
pub(crate) mod raw;
mod travel;
pub(crate) mod unsent;
