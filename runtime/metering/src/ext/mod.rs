//! Metering for the types of `generated-client`, as extension traits. The [prelude](crate::prelude) has all of them.

mod builder;
mod call;
mod charged;
mod client;
mod pages;

pub use builder::MeteredBuilder;
pub use call::{MeteredCall, Quoted};
pub use charged::{Charged, MeteredError};
pub use client::MeteredClient;
#[cfg(feature = "journal")]
pub(crate) use client::for_input;
pub use pages::MeteredPages;
