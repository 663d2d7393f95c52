//! What an earlier document said and the new one does not: found, and preserved by overrides that the update writes. `table` lists the kinds;
//! each says in a file of its own what it looks for, what it writes, and how a person reads it.

mod actions;
mod names;
mod never_null;
mod parameters;
mod preserver;
mod schemas;
mod security;
mod sentences;
mod table;

pub(super) use names::{Types, types, wrappers};
pub(super) use never_null::is_never_null;
pub(super) use table::{lines, preserve};
