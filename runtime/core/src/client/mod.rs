//! The client and its set-up.

pub(crate) mod api_client;
pub(crate) mod builder;
mod builder_http;
pub(crate) mod call;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
pub(crate) mod client;
mod environment;
mod http_settings;
pub(crate) mod raw;
