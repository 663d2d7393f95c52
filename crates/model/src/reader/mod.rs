//! Reads a document into the vocabulary: schemas, operations, the key; then what links and extensions say of them.

mod auth;
mod bodies;
mod envelope;
mod extension;
mod groups;
mod handles;
mod links;
mod metering;
mod operation;
mod operations;
mod paging;
mod parameters;
mod prices;
mod reach;
mod read;
mod responses;
mod schemas;
mod servers;
mod styles;
mod tails;
mod titles;
mod waiting;
mod webhooks;

pub use read::{read, type_names};
pub use schemas::says_the_same;
pub use tails::without_tails;
