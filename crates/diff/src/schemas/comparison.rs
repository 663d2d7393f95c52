//! The state of a comparison of schemas. Each pair of schemas is compared once, however often it is referenced, and from a list
//! rather than by recursion, so cycles and depth are harmless. The operations that reach each difference are found later.

use std::collections::HashMap;

use serde_json::Value;

use crate::verdicts::{Graph, Mark, Pair, Rule, changed, way};
use openapi_schemas::reading::{Document, Reading, Site};

/// Serialisation of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// JSON or the like, where numbers and strings differ.
    Data,
    /// Parts of a body, each with its media type.
    Parts,
    /// One of these parts, where an empty schema means bytes.
    Part,
    /// A plain string in a URL or header, where a number is a string too.
    Text,
    /// A string that may be repeated, where a list of one element is a string too.
    Repeated,
}

impl Form {
    /// Returns whether every value is written as a string.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Repeated)
    }
}

/// Addresses of the schemas of a site, usually one, and its restrictions on values.
pub(super) type Key<'d> = (usize, Vec<usize>, bool, u8, Option<&'d str>);

/// State of a comparison of schemas.
pub(crate) struct Comparison<'d> {
    pub(crate) old: Document<'d>,
    pub(crate) new: Document<'d>,
    /// True if the documents are equal.
    pub(super) is_same: bool,
    /// Differences and pairs found so far.
    pub(crate) graph: Graph<'d>,
    pub(super) memo: HashMap<(Key<'d>, Key<'d>, Form), usize>,
    /// References of both documents that changed their target, by the pair of targets.
    pub(super) retargeted: HashMap<usize, (&'d Value, &'d Value)>,
    /// Pairs that have yet to be compared.
    pub(crate) waiting: Vec<(usize, Site<'d>, Site<'d>, Form)>,
    /// Values of the two documents that were compared with each other, in that order.
    pub(crate) met: Vec<(&'d Value, &'d Value)>,
}

impl<'d> Comparison<'d> {
    pub(crate) fn new(old: &'d Value, new: &'d Value) -> Self {
        Self {
            old: Document::new(old),
            new: Document::new(new),
            is_same: old == new,
            graph: Graph::default(),
            memo: HashMap::new(),
            retargeted: HashMap::new(),
            waiting: Vec::new(),
            met: Vec::new(),
        }
    }

    /// Records that two schemas are compared with each other.
    pub(super) fn meet(&mut self, old: &Site<'d>, new: &Site<'d>) {
        self.met
            .extend(old.parts.first().copied().zip(new.parts.first().copied()));
    }

    /// Returns the pair of two sites, and queues it if it is new. `referring` are the references that lead to it.
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

/// Results of one pair of schemas during its comparison: its differences, and the pairs that it leads to.
pub(super) struct Notes<'c, 'd> {
    pub(super) comparison: &'c mut Comparison<'d>,
    pub(super) pair: &'c mut Pair,
}

impl<'d> Notes<'_, 'd> {
    /// Records a difference between two schemas.
    pub(super) fn differ(
        &mut self,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) {
        self.differ_in(way::ALL, rule, (old, new), what);
    }

    /// Records a difference that matters in some ways only.
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

    /// Records that two schemas differ under a keyword, if they do.
    pub(super) fn changed(
        &mut self,
        rule: &'static Rule,
        keyword: &str,
        (old, a): (&Reading<'d>, Option<&'d Value>),
        (new, b): (&Reading<'d>, Option<&'d Value>),
    ) {
        self.within(rule, (old, a), (new, b), || changed(keyword, a, b));
    }

    /// Records that two schemas differ in a value, which may be absent.
    pub(super) fn within(
        &mut self,
        rule: &'static Rule,
        (old, a): (&Reading<'d>, Option<&'d Value>),
        (new, b): (&Reading<'d>, Option<&'d Value>),
        what: impl FnOnce() -> String,
    ) {
        let marks = (Mark::within(a, old.home), Mark::within(b, new.home));
        self.differ_in(way::ALL, rule, marks, what);
    }
}
