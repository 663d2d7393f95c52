//! Applies a set of overrides, or reports all that stand against it.

mod document;
mod rename;

pub use document::{ReconciledDocument, reconcile};
