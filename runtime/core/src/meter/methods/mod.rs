//! Methods about money, of the client, its builder, its runs and what its calls return.

mod batch;
mod builder;
mod charged;
mod client;
mod metered_client;
mod pages;

pub use batch::Batch;
#[cfg(feature = "journal")]
pub(crate) use client::for_input;
