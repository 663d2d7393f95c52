//! Moves overrides to a new document: a set for one document goes in, and the same set in the terms of another comes out. The
//! targets are found by meaning, as the diff matches the two documents. Nothing here reads or writes a file.

mod actions;
mod correspondence;
mod election;
mod equality;
mod fitted;
mod guards;
mod moved;
mod nulls;
mod order;
mod outcome;
mod places;
mod pointers;
mod preserve;
mod query;
mod reached;
mod replaced;
mod run;
mod said;
mod screen;
mod text;
mod values;

pub use moved::{Decision, Follow, Likely, Nulls, Proposal, Reason, Rebase, Retired};
pub use order::Order;
pub use run::rebase;
pub use screen::Assumption;
