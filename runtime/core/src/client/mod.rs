//! The client and its set-up.

pub(crate) mod api_client;
pub(crate) mod builder;
#[cfg(feature = "tower")]
mod builder_tower;
mod builder_travel;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
pub(crate) mod client;
mod environment;
pub(crate) mod raw;
mod travel;
pub(crate) mod unsent;
