//! The program outside its repository: a file, copied to a place without anything of the repository that built it.

mod crates;
mod documents;
mod file;
mod program;
mod support;

pub(crate) use support::DOCUMENT;
