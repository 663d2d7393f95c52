//! The commands of this repository, on top of the crates below `crates/`.

pub mod commands;
pub mod install;
pub mod layout;
