//! Which plain values a schema allows: types, null, enum values, bounds, patterns, formats.

mod bounds;
mod encodings;
mod enum_values;
mod formats;
mod kinds;
mod range;
mod texts;
