//! Schemas of two documents in pairs, keyword by keyword: what differs, and which pairs lead to which.

mod annotations;
mod choices;
mod comparison;
mod enter;
mod flat;
mod nested;
mod schema;
mod side;
mod values;

pub(in crate::diff) use comparison::{Comparison, Form};
pub(in crate::diff) use flat::{DOCS, Flat, Site, types};
pub(in crate::diff) use side::{Found, Side, reference, referring};
