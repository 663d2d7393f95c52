//! Pairs of schemas, and the ways that continue from one to the next.

use super::way;

/// Two schemas at the same location.
#[derive(Default)]
pub(crate) struct Pair {
    pub(crate) deltas: Vec<usize>,
    pub(crate) edges: Vec<Edge>,
}

/// Edge to another pair.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) to: usize,
    /// Ways that continue.
    pub(crate) only: u8,
    pub(crate) turn: Turn,
}

/// Effect of an edge on the ways.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Keep,
    /// Below a `not`.
    Not,
    /// Below an `if`, which is a condition and its negation.
    Either,
}

impl Edge {
    pub(super) fn follow(self, ways: u8) -> u8 {
        use way::{BOTH, with_not};
        let ways = ways & with_not(self.only);
        let turned = ((ways & BOTH) << 2) | (ways >> 2);
        match self.turn {
            Turn::Keep => ways,
            Turn::Not => turned,
            Turn::Either => ways | turned,
        }
    }
}
