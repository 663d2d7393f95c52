//! Finds content of an earlier document that the new one lost, and writes overrides that preserve it: the names that callers know, and the
//! places that were never null.

mod actions;
mod names;
mod never_null;
mod preserver;
mod wire_names;

pub(super) use preserver::{lines, preserve};
