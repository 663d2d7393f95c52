//! The only place that writes files: several that change together, be they generated or a person's.

mod together;
mod tree;

pub use together::{Changes, STAGING, change, was_interrupted};
pub use tree::{State, changes, compare, in_the_way};
