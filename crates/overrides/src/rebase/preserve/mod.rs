//! Finds content of an earlier document that the new one lost, and writes overrides that preserve it: the names that callers know, and the
//! places that were never null.

mod actions;
mod arguments;
mod names;
mod never_null;
mod preserver;
mod tags;
mod wire_names;

pub(super) use names::line as names;
pub(super) use never_null::{is_of_the_tool, line as nulls};
pub(super) use preserver::preserve;
