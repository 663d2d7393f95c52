//! The commands of `openapi-crate`, as functions: for a program of one's own, as `cargo xtask` often is.
//!
//! [`config`] reads the file that says which crates there are, [`arguments`] is the command line, and [`commands`] has what it can ask for.

pub mod arguments;
mod chosen;
pub mod commands;
pub mod config;
pub mod install;
pub mod layout;
mod run;

pub use chosen::described;
pub use run::run;
