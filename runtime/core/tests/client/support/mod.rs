//! Shared support for the suites: an API, services in memory that respond as a test says, and a recorder of spans.

pub(crate) mod api;
pub(crate) mod billing_service;
pub(crate) mod random_outcome;
pub(crate) mod scripted_client;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
pub(crate) mod sockets;
pub(crate) mod span_recorder;
pub(crate) mod things;
