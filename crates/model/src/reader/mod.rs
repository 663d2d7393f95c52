//! Reads a document into the vocabulary: schemas, operations, the key; then their links and extensions.

mod auth;
mod bodies;
mod constants;
mod deep_objects;
mod envelope;
mod groups;
mod handles;
mod idempotency;
mod ids;
mod links;
mod losses;
mod metering;
mod naming;
mod notes;
mod operation;
mod operations;
mod package;
mod paging;
mod parameters;
mod prices;
mod reach;
mod read;
mod responses;
mod schemas;
mod servers;
mod signature;
mod streams;
mod styles;
mod tails;
mod titles;
mod waiting;
mod webhooks;

pub use read::{read, type_names};
pub use schemas::says_the_same;
pub use tails::without_tails;
pub use webhooks::with_any as with_any_webhook;
