//! Overrides that follow the document: a set written against one document goes in, and the same set in the terms of another comes out. What an
//! override is about is found by meaning, as the diff matches the two documents. Nothing here reads or writes a file.

mod actions;
mod added;
mod agreement;
mod beginning;
mod causes;
mod chain;
mod correspondence;
mod decisions;
mod fitted;
mod guarded;
mod guards;
mod kept;
mod meaning;
mod moved;
mod names;
mod never_null;
mod nulls;
mod order;
mod outcome;
mod parameters;
mod places;
mod query;
mod questions;
mod respell;
mod run;
mod schemas;
mod screen;
mod security;
mod superfluous;
mod text;
mod values;

pub use moved::{Cause, Decision, Emptied, Follow, Nulls, Open, Proposal, Rebase, Silent};
pub use order::Order;
pub use run::rebase;
