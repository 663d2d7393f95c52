//! Compares schemas of two documents in pairs, by keyword: finds their differences, and the pairs that they lead to.

mod annotations;
mod choices;
mod comparison;
mod enter;
mod nested;
mod schema;
mod values;

pub(crate) use choices::alike;
pub(crate) use comparison::{Comparison, Form};
pub(crate) use schema::drain;
