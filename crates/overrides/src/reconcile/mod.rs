//! Applies a set of overrides, or reports all problems.

mod document;
mod rename;

pub use document::{ReconciledDocument, reconcile};
