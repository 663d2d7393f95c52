//! The commands. They take a writer, so that a test reads the output that a person would see.

#[cfg(feature = "vendored")]
pub mod conform;
pub mod diff;
pub mod generate;
pub mod init;
mod lock;
mod once;
pub mod overrides;
mod paging;
mod retired;
pub mod status;
pub mod update;
pub mod validate;
mod warnings;
