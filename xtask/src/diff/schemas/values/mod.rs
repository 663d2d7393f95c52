//! Which plain values a schema allows.

pub(in crate::diff) mod bounds;
