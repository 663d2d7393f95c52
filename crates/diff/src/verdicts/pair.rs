//! Pairs of schemas, and which ways go on from one to the next.

use super::way;

/// Two schemas that stand at the same place.
#[derive(Default)]
pub(crate) struct Pair {
    pub(crate) deltas: Vec<usize>,
    pub(crate) edges: Vec<Edge>,
}

/// What a pair leads to.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) to: usize,
    /// The ways that go on.
    pub(crate) only: u8,
    pub(crate) turn: Turn,
}

/// What becomes of the ways at an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Keep,
    /// Below a `not`.
    Not,
    /// Below an `if`, which is a condition and its contrary.
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
