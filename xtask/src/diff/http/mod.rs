//! Operations of two documents.

pub(in crate::diff) mod components;
mod content;
pub(in crate::diff) mod operation;
pub(in crate::diff) mod paths;
mod security;
