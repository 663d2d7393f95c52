//! Finds content of an earlier document that the new one lost, and writes overrides that preserve it. `table` lists the kinds; each has a
//! file that finds the losses, writes the override, and describes it to people.

mod actions;
mod names;
mod never_null;
mod parameters;
mod preserver;
mod schemas;
mod security;
mod sentences;
mod table;
mod wire_names;

pub(super) use table::{lines, preserve};
