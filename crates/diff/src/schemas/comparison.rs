//! The state of a comparison of schemas. Each pair of schemas is compared once, however often it is referenced, and from a list
//! rather than by recursion, so cycles and depth are harmless. The operations that reach each difference are found later.

use std::collections::HashMap;

use serde_json::Value;

use crate::verdicts::{Both, Graph, Keyword, Marks, Pair, Rule, way};
use openapi_schemas::reading::{Document, Reading, Site, fingerprint};

/// Depth to which schemas are compared for equality.
pub(super) const DEPTH: u8 = 3;

/// Serialisation of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// JSON or the like, where numbers and strings differ.
    Data,
    /// Parts of a body, each with its media type.
    Parts,
    /// One of these parts, where an empty schema means bytes, and a number is a string too.
    Part,
    /// A plain string in a URL or header, where a number or a joined list is a string too.
    Text { is_always_sent: bool },
    /// A string that may be repeated, where a list of one element is a string too.
    Repeated { is_always_sent: bool },
}

impl Form {
    /// Returns whether every scalar is written as a string.
    pub(super) fn is_text(self) -> bool {
        self == Self::Part || self.is_parameter()
    }

    /// Returns whether the default of the value applies to no message.
    pub(super) fn is_always_sent(self) -> bool {
        match self {
            Self::Text { is_always_sent } | Self::Repeated { is_always_sent } => is_always_sent,
            _ => false,
        }
    }

    /// Returns whether this is the value of a parameter or header.
    pub(super) fn is_parameter(self) -> bool {
        matches!(self, Self::Text { .. } | Self::Repeated { .. })
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

    /// Returns whether two schemas have the same content, down to a depth.
    pub(super) fn are_equal(&mut self, old: &Site<'d>, new: &Site<'d>) -> bool {
        fingerprint(&mut self.old, old, DEPTH) == fingerprint(&mut self.new, new, DEPTH)
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

/// Readings of two schemas that are compared.
#[derive(Clone, Copy)]
pub(super) struct Readings<'r, 'd> {
    pub(super) old: &'r Reading<'d>,
    pub(super) new: &'r Reading<'d>,
}

impl<'d> Readings<'_, 'd> {
    /// Returns the objects to point at if a keyword is absent.
    pub(super) fn home(self) -> Both<'d> {
        Both::new(self.old.home, self.new.home)
    }

    /// Returns a keyword with its first value in each schema.
    pub(super) fn first<'k>(self, name: &'k str) -> Keyword<'k, 'd> {
        self.keyword(name, self.old.first(name), self.new.first(name))
    }

    /// Returns a keyword with these values.
    pub(super) fn keyword<'k>(
        self,
        name: &'k str,
        old: Option<&'d Value>,
        new: Option<&'d Value>,
    ) -> Keyword<'k, 'd> {
        Keyword {
            name,
            home: self.home(),
            old,
            new,
        }
    }

    /// Returns whether both schemas may allow values of these types.
    pub(super) fn both_allow(self, types: u8) -> bool {
        self.old.allows(types) && self.new.allows(types)
    }

    /// Returns whether neither schema allows values of these types.
    pub(super) fn neither_allows(self, types: u8) -> bool {
        !self.old.allows(types) && !self.new.allows(types)
    }
}

impl<'d> Notes<'_, 'd> {
    /// Records a difference between two schemas.
    pub(super) fn differ(
        &mut self,
        rule: &'static Rule,
        marks: impl Into<Marks<'d>>,
        what: impl FnOnce() -> String,
    ) {
        self.differ_in(way::ALL, rule, marks, what);
    }

    /// Records a difference that matters in some ways only.
    pub(super) fn differ_in(
        &mut self,
        ways: u8,
        rule: &'static Rule,
        marks: impl Into<Marks<'d>>,
        what: impl FnOnce() -> String,
    ) {
        let graph = &mut self.comparison.graph;
        let delta = graph.delta(rule, marks.into(), ways, what);
        self.pair.deltas.push(delta);
    }

    /// Records that two schemas differ under a keyword.
    pub(super) fn changed(&mut self, rule: &'static Rule, keyword: Keyword<'_, 'd>) {
        self.differ(rule, keyword, || keyword.changed());
    }
}
