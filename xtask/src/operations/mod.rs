//! Operations to request builders on top of the runtime: one module per operation, and the client that makes them.
//! Everything generic over operations is in the runtime, which compiles once.

mod builder;
mod charge;
mod client;
mod docs;
mod files;
mod paging;
mod paths;
mod prices;
mod request;
mod shapes;
mod value;
mod waiting;

pub use files::{Module, client, operations, shapes};
