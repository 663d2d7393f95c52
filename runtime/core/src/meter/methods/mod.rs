//! Methods about money, of the client, its builder, its runs and what its calls return.

mod builder;
mod charged;
mod client;
mod pages;

#[cfg(feature = "journal")]
pub(crate) use client::for_input;
