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

pub(crate) use choices::alike;
pub(crate) use comparison::{Comparison, Form};
pub(crate) use flat::{Flat, Site, types};
pub(crate) use schema::drain;
pub(crate) use side::{Found, Side, referring};
