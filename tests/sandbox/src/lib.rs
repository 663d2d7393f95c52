#![doc = include_str!("../README.md")]
//!
//! ```text
//! document ──▶ routes ──▶ arguments ──▶ data ──▶ fitting ──▶ response ──▶ bill
//!                │            │           │
//!                └────────────┴───────────┴──▶ refusal      never billed
//! ```

mod arguments;
mod bill;
mod calls;
mod data;
mod document;
mod faults;
mod fitting;
mod hosts;
mod made_up;
mod operation;
mod page;
mod paging;
mod prices;
mod refusal;
mod routes;
mod sandbox;
#[doc = include_str!("operations.md")]
pub mod operations {}
pub mod vocabulary;

#[cfg(test)]
mod tests;

pub use bill::{Bill, BilledCall};
pub use calls::Call;
pub use faults::Fault;
pub use sandbox::{Builder, Dialect, Sandbox, Size};
