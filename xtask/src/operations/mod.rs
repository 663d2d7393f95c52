//! Operations to request builders on top of the runtime: one module per operation, and the client that makes them.
//! Everything generic over operations is in the runtime, which compiles once.

mod access;
mod builder;
mod charge;
mod client;
mod docs;
mod files;
mod paging;
mod paths;
mod prices;
mod request;
mod servers;
mod shapes;
mod value;
mod waiting;

pub(crate) use access::has_credentials;
pub use files::{Module, client, operations, shapes};
