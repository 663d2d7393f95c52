//! Applies a set of overrides, or reports all that stand against it.

pub(in crate::overrides) mod rename;
