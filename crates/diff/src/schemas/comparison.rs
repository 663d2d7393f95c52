//! The state of a comparison of schemas. Pairs of schemas are compared once each, whatever leads to them, and from a list
//! rather than by recursion, so that neither circles nor depth matter. What operations reach is found afterwards.

use std::collections::HashMap;

use serde_json::Value;

use super::flat::Site;
use super::side::Side;
use crate::verdicts::{Graph, Mark, Pair, Rule, way};

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

    /// A difference between two schemas.
    pub(super) fn differ(
        &mut self,
        pair: &mut Pair,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) {
        let delta = self.graph.delta(rule, old, new, way::ALL, what);
        pair.deltas.push(delta);
    }
}
