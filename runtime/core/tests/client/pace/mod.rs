//! When attempts go out, and whether a call is attempted again.

mod cool_down;
mod retry_policies;
mod retry_table;
mod timing;
