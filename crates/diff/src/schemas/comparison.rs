//! The state of a comparison of schemas. Pairs of schemas are compared once each, whatever leads to them, and from a list
//! rather than by recursion, so that neither circles nor depth matter. What operations reach is found afterwards.

use std::collections::HashMap;

use serde_json::Value;

use super::flat::{Flat, Site};
use super::side::Side;
use crate::verdicts::{Graph, Mark, Pair, Rule, changed, way};

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// As JSON or the like, where a number is not a text.
    Data,
    /// As parts of a body, each with a media type of its own.
    Parts,
    /// As one of these parts, where a schema that says nothing means bytes.
    Part,
    /// As a plain text in a URL or header: a number is a text too.
    Text,
    /// As a text that may be repeated: a list of one is a text too.
    Repeated,
}

impl Form {
    /// Whether everything is written as text.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Repeated)
    }
}

/// Addresses of the schemas of a site, of most one, and which of their values are meant.
pub(super) type Key<'d> = (usize, Vec<usize>, bool, u8, Option<&'d str>);

/// A comparison of schemas under way.
pub(crate) struct Comparison<'d> {
    pub(crate) old: Side<'d>,
    pub(crate) new: Side<'d>,
    /// What was found.
    pub(crate) graph: Graph<'d>,
    pub(super) memo: HashMap<(Key<'d>, Key<'d>, Form), usize>,
    /// References of both documents that lead elsewhere now, by the pair that they lead to.
    pub(super) retargeted: HashMap<usize, (&'d Value, &'d Value)>,
    /// Pairs that are known and not yet compared.
    pub(crate) waiting: Vec<(usize, Site<'d>, Site<'d>, Form)>,
    /// Values of the two documents that were compared with each other, in the order in which they were met.
    pub(crate) met: Vec<(&'d Value, &'d Value)>,
}

impl<'d> Comparison<'d> {
    pub(crate) fn new(old: &'d Value, new: &'d Value) -> Self {
        Self {
            old: Side::new(old),
            new: Side::new(new),
            graph: Graph::default(),
            memo: HashMap::new(),
            retargeted: HashMap::new(),
            waiting: Vec::new(),
            met: Vec::new(),
        }
    }

    /// Notes that two schemas are compared with each other.
    pub(super) fn meet(&mut self, old: &Site<'d>, new: &Site<'d>) {
        self.met
            .extend(old.parts.first().copied().zip(new.parts.first().copied()));
    }

    /// The pair of two sites, which waits for its comparison where it is new. `referring` are the references that lead to it.
    pub(super) fn pair(
        &mut self,
        key: (Key<'d>, Key<'d>, Form),
        referring: Option<(&'d Value, &'d Value)>,
        old: Site<'d>,
        new: Site<'d>,
    ) -> usize {
        let form = key.2;
        if let Some(known) = self.memo.get(&key) {
            return *known;
        }
        let index = self.graph.pairs.len();
        self.memo.insert(key, index);
        self.graph.pairs.push(Pair::default());
        self.retargeted
            .extend(referring.map(|referring| (index, referring)));
        self.waiting.push((index, old, new, form));
        index
    }
}

/// What is noted of one pair of schemas while it is compared: its differences, and the pairs that it leads to.
pub(super) struct Notes<'c, 'd> {
    pub(super) comparison: &'c mut Comparison<'d>,
    pub(super) pair: &'c mut Pair,
}

impl<'d> Notes<'_, 'd> {
    /// Notes a difference between two schemas.
    pub(super) fn differ(
        &mut self,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) {
        self.differ_in(way::ALL, rule, (old, new), what);
    }

    /// Notes a difference that matters in some ways only.
    pub(super) fn differ_in(
        &mut self,
        ways: u8,
        rule: &'static Rule,
        (old, new): (Mark<'d>, Mark<'d>),
        what: impl FnOnce() -> String,
    ) {
        let delta = self.comparison.graph.delta(rule, old, new, ways, what);
        self.pair.deltas.push(delta);
    }

    /// Notes that two schemas say something else under a keyword, if at all.
    pub(super) fn changed(
        &mut self,
        rule: &'static Rule,
        keyword: &str,
        (old, a): (&Flat<'d>, Option<&'d Value>),
        (new, b): (&Flat<'d>, Option<&'d Value>),
    ) {
        self.within(rule, (old, a), (new, b), || changed(keyword, a, b));
    }

    /// Notes that two schemas differ in a value, which may be absent.
    pub(super) fn within(
        &mut self,
        rule: &'static Rule,
        (old, a): (&Flat<'d>, Option<&'d Value>),
        (new, b): (&Flat<'d>, Option<&'d Value>),
        what: impl FnOnce() -> String,
    ) {
        let marks = (Mark::within(a, old.home), Mark::within(b, new.home));
        self.differ_in(way::ALL, rule, marks, what);
    }
}
