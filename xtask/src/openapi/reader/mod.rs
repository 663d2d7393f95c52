//! Reads a document into the vocabulary: schemas, operations, the key; then what links and extensions say of them.

mod auth;
mod envelope;
mod extension;
mod links;
mod operations;
mod paging;
mod parameters;
mod prices;
mod reach;
mod read;
mod schemas;
mod servers;
mod waiting;

pub(crate) use parameters::constraints;
pub use read::read;
