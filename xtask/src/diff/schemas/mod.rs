//! Schemas of two documents in pairs.

mod choices;
pub(in crate::diff) mod comparison;
pub(in crate::diff) mod flat;
mod nested;
mod schema;
pub(in crate::diff) mod side;
pub(in crate::diff) mod values;
