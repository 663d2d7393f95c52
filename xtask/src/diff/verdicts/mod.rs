//! Differences and what they do to clients that were written for the old document: the rules, which operations reach a
//! difference and which way its value travels, and the change as it is reported. Knows nothing of what is compared.

mod change;
mod delta;
mod graph;
mod operations;
mod owner;
mod pair;
mod places;
mod reach;
pub(in crate::diff) mod rules;
mod say;
pub(in crate::diff) mod way;
mod wire;

pub use change::{Change, Direction, Place};
pub use rules::{RULES, Rule};
pub use wire::Wire;

pub(in crate::diff) use delta::{Mark, address};
pub(in crate::diff) use graph::Graph;
pub(in crate::diff) use operations::Operations;
pub(in crate::diff) use owner::{KINDS, owner, sentence};
pub(in crate::diff) use pair::{Edge, Pair, Turn};
pub(in crate::diff) use places::{Places, pointers};
pub(in crate::diff) use say::{changed, quote};
