//! Schemas of the values within a value: properties, elements, conditions.

mod arrays;
mod children;
mod conditions;
mod objects;
mod properties;
mod renames;
mod ways;

pub(super) use arrays::arrays;
pub(super) use children::nested;
pub(super) use conditions::conditions;
pub(super) use objects::{definitions, objects};
