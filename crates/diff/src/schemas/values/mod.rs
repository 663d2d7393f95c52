//! The scalar values that a schema allows: types, null, enum values, bounds, patterns, formats.

mod bounds;
mod encodings;
mod enum_values;
mod formats;
mod keywords;
mod kinds;
mod range;
mod texts;

pub(crate) use keywords::{holds, without_effect};

pub(super) use bounds::bounds;
pub(super) use kinds::{became_string, kinds, nulls};
pub(super) use texts::texts;
