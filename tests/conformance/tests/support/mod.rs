//! Shared parts of the suites: local servers and addresses, calls of a client to them, payloads, and a trace recorder.

pub(crate) use conformance_tests::addresses;

pub(crate) mod calls;
pub(crate) mod document;
pub(crate) mod draw;
pub(crate) mod evidence;
pub(crate) mod operations;
pub(crate) mod payloads;
pub(crate) mod placed;
pub(crate) mod records;
pub(crate) mod served;
pub(crate) mod server;
pub(crate) mod snapshot;
pub(crate) mod trace;
pub(crate) mod types;
pub(crate) mod whole;
pub(crate) mod wire;
