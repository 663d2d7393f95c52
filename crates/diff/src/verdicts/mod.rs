//! Differences and their effects on clients that were written for the old document: the rules, the operations that reach a
//! difference and its direction, and the reported change. Knows nothing of the compared objects.

mod both;
mod change;
mod delta;
mod graph;
mod mark;
mod operations;
mod owner;
mod pair;
mod places;
mod reach;
pub(crate) mod rules;
mod say;
pub(crate) mod way;
mod wire;

pub use change::{Change, Direction, Place};
pub use rules::{Part, RULES, Rule};
pub use wire::Wire;

pub(crate) use both::{Both, Keyword};
pub(crate) use graph::Graph;
pub(crate) use mark::{Mark, Marks, address};
pub use operations::Reached;
pub(crate) use operations::{Operations, Sets};
pub(crate) use owner::{KINDS, owner, sentence};
pub(crate) use pair::{Edge, Pair, Turn};
pub(crate) use places::{Places, pointers};
pub(crate) use say::{changed, quote};
