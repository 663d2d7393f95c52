//! What a schema says of the values within a value.

mod properties;
