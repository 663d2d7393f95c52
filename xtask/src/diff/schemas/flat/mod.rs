//! What one schema allows.

pub(in crate::diff) mod flatten;
