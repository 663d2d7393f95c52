//! The commands of `openapi-crate`, as functions: for a custom program, as `cargo xtask` often is.
//!
//! [`config`] reads the file that lists the crates, [`arguments`] is the command line, and [`commands`] has its commands.

pub mod arguments;
mod chosen;
pub mod commands;
pub mod config;
pub mod install;
mod run;

pub use chosen::described;
pub use client_generator::generate::Layout;
pub use run::run;
