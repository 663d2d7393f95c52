//! Deliberate faults, by operation.
//!
//! ```text
//! text ──▶ fault ──▶ script ──▶ effect ──▶ connection
//! ```

mod connection;
mod effect;
mod fault;
mod script;
mod text;

pub(crate) use connection::{Connection, Connections};
pub use fault::Fault;
pub(crate) use script::Script;
