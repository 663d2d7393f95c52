//! Turns operations into request builders on top of the runtime: one module per operation, and the client that makes them.
//! Everything generic over operations is in the runtime, which compiles once.

mod access;
mod bodies;
mod builder;
mod calls;
mod charge;
mod checks;
mod client;
mod command_argument;
mod commands;
mod docs;
mod errors;
mod examples;
mod fields;
mod files;
mod handles;
mod input;
mod lists;
mod money;
mod output;
mod paging;
mod parts;
mod paths;
mod prices;
mod records;
mod request;
mod samples;
mod servers;
mod shapes;
mod styles;
mod value;
mod waiting;
mod whole;

pub(crate) use access::has_credentials;
pub use charge::own as own_charge;
pub(crate) use checks::has_patterns;
pub use files::{Module, calls, client, commands, handles, operations, shapes};
pub(crate) use samples::{paged_samples, sample};
