//! Overrides that follow the document: a set written against one document goes in, and the same set in the terms of another comes out. What an
//! override is about is found by meaning, as the diff matches the two documents. Nothing here reads or writes a file.

mod actions;
mod causes;
mod chain;
mod correspondence;
mod lists;
mod meaning;
mod moved;
mod places;
mod query;
mod respell;
mod run;
mod screen;
mod text;
mod values;

pub use moved::{Cause, Decision, Follow, Proposal, Rebase};
pub use run::rebase;
