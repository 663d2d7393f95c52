//! Result of a comparison: differences, pairs of schemas that lead to them, and the roots of operations.

use std::collections::HashMap;

use serde_json::Value;

use super::delta::Delta;
use super::mark::{Marks, address};
use super::operations::Operations;
use super::pair::Pair;
use super::rules::Rule;
use super::way;

/// Differences, and the paths to them.
#[derive(Default)]
pub(crate) struct Graph<'d> {
    pub(crate) deltas: Vec<Delta<'d>>,
    known: HashMap<(&'static str, usize, usize, u8), usize>,
    pub(crate) pairs: Vec<Pair>,
    /// Roots of operations: operation, pair, ways.
    pub(crate) roots: Vec<(usize, usize, u8)>,
}

impl<'d> Graph<'d> {
    /// Records a difference, once however often it is met.
    pub(crate) fn delta(
        &mut self,
        rule: &'static Rule,
        marks: Marks<'d>,
        only: u8,
        what: impl FnOnce() -> String,
    ) -> usize {
        let mut values = [marks.old.value, marks.new.value];
        if values == [None, None] {
            values = [marks.old.home, marks.new.home];
        }
        let [a, b] = values.map(|value| value.map_or(0, address));
        let key = (rule.id, a, b, only);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let index = self.deltas.len();
        self.known.insert(key, index);
        self.deltas.push(Delta {
            rule,
            marks,
            what: what(),
            referring: None,
            is_own: false,
            only,
            ways: 0,
            operations: Operations::default(),
        });
        index
    }

    /// Records that an operation reaches a difference.
    pub(crate) fn reached(&mut self, delta: usize, operation: usize, ways: u8) {
        let Some(delta) = self.deltas.get_mut(delta) else {
            return;
        };
        let ways = ways & way::with_not(delta.only);
        if ways == 0 {
            return;
        }
        delta.ways |= ways;
        delta.operations.insert(operation);
    }

    /// Records that several operations reach a difference.
    pub(crate) fn reached_by_each(&mut self, delta: usize, operations: &[usize], ways: u8) {
        for operation in operations {
            self.reached(delta, *operation, ways);
        }
    }

    /// Records the references by which a difference is met, if they changed their target. One that is also met without them is due to
    /// its schema.
    pub(crate) fn refer(&mut self, delta: usize, referring: Option<(&'d Value, &'d Value)>) {
        if let Some(delta) = self.deltas.get_mut(delta) {
            delta.is_own |= referring.is_none();
            delta.referring = referring.filter(|_| !delta.is_own);
        }
    }

    /// Records that a difference may concern any operation.
    pub(crate) fn anywhere(&mut self, delta: usize) {
        if let Some(delta) = self.deltas.get_mut(delta) {
            delta.ways = way::BOTH;
        }
    }

    /// Records that a set of operations reaches a difference.
    pub(super) fn reached_by(&mut self, delta: usize, operations: &Operations, ways: u8) {
        let Some(delta) = self.deltas.get_mut(delta) else {
            return;
        };
        let ways = ways & way::with_not(delta.only);
        if ways != 0 {
            delta.ways |= ways;
            delta.operations.extend(operations);
        }
    }
}
