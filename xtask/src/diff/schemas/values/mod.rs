//! Which plain values a schema allows: types, null, enum values, bounds, patterns, formats.

mod bounds;
mod enum_values;
mod keywords;
mod kinds;
mod texts;

pub(in crate::diff) use keywords::PLAIN;
