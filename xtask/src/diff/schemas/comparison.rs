//! The state of one comparison. Pairs of schemas are compared once each, whatever leads to them, and from a list
//! rather than by recursion, so that neither circles nor depth matter. What operations reach is found afterwards.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::diff::schemas::flat::flatten::{Site, is_annotation};
use crate::diff::schemas::side::{Side, reference};
use crate::diff::verdicts::reach::Operations;
use crate::diff::verdicts::rules::{self, Rule};

/// Ways in which a value travels, as bits. Below a `not`, more is less: there the rules change places.
pub(in crate::diff) mod way {
    pub(in crate::diff) const SENT: u8 = 1;
    pub(in crate::diff) const RECEIVED: u8 = 2;
    pub(in crate::diff) const BOTH: u8 = 3;
    pub(in crate::diff) const SENT_NOT: u8 = 4;
    pub(in crate::diff) const RECEIVED_NOT: u8 = 8;
    pub(in crate::diff) const ALL: u8 = 15;

    /// The other party's way.
    pub(in crate::diff) fn opposite(way: u8) -> u8 {
        ((way & SENT) << 1) | ((way & RECEIVED) >> 1)
    }

    /// Ways with the same below a `not`.
    pub(in crate::diff) fn with_not(way: u8) -> u8 {
        way | ((way & BOTH) << 2)
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::diff) enum Form {
    /// As JSON or the like, where a number is not a text.
    Data,
    /// As a plain text in a URL or header: a number is a text too.
    Text,
    /// As a text that may be repeated: a list of one is a text too.
    Repeated,
}

/// A difference, before it is known which operations it reaches.
pub(in crate::diff) struct Delta<'d> {
    pub(in crate::diff) rule: &'static Rule,
    pub(in crate::diff) old: Mark<'d>,
    pub(in crate::diff) new: Mark<'d>,
    pub(in crate::diff) what: String,
    /// The ways in which it matters.
    pub(in crate::diff) only: u8,
    /// The ways in which it is reached.
    pub(in crate::diff) ways: u8,
    /// The operations that reach it.
    pub(in crate::diff) operations: Operations,
}

/// What a delta points at on one side.
#[derive(Clone, Copy)]
pub(in crate::diff) struct Mark<'d> {
    /// The value that changed, if there is one.
    pub(in crate::diff) value: Option<&'d Value>,
    /// The schema or other object around it, if that is there.
    pub(in crate::diff) home: Option<&'d Value>,
}

impl<'d> Mark<'d> {
    /// A value, or its absence, in an object that is there.
    pub(in crate::diff) fn within(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            value,
            home: Some(home),
        }
    }

    /// A thing of its own.
    pub(in crate::diff) fn at(value: &'d Value) -> Self {
        Self {
            value: Some(value),
            home: Some(value),
        }
    }

    /// A thing that is not there.
    pub(in crate::diff) const NONE: Self = Self {
        value: None,
        home: None,
    };
}

/// What a pair leads to.
#[derive(Clone, Copy)]
pub(in crate::diff) struct Edge {
    pub(in crate::diff) to: usize,
    /// The ways that go on.
    pub(in crate::diff) only: u8,
    pub(in crate::diff) turn: Turn,
}

/// What becomes of the ways at an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::diff) enum Turn {
    Keep,
    /// Below a `not`.
    Not,
    /// Below an `if`, which is a condition and its contrary.
    Either,
}

impl Edge {
    pub(in crate::diff) fn follow(self, ways: u8) -> u8 {
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

/// Two schemas that stand at the same place.
#[derive(Default)]
pub(in crate::diff) struct Pair {
    pub(in crate::diff) deltas: Vec<usize>,
    pub(in crate::diff) edges: Vec<Edge>,
}

/// Addresses of the schemas of a site; of most, one.
type Key = (usize, Vec<usize>, bool);

/// A comparison under way.
pub(in crate::diff) struct Comparison<'d> {
    pub(in crate::diff) old: Side<'d>,
    pub(in crate::diff) new: Side<'d>,
    pub(in crate::diff) deltas: Vec<Delta<'d>>,
    known: HashMap<(&'static str, usize, usize, u8), usize>,
    pub(in crate::diff) pairs: Vec<Pair>,
    memo: HashMap<(Key, Key, Form), usize>,
    waiting: Vec<(usize, Site<'d>, Site<'d>, Form)>,
    /// Operations by name.
    pub(in crate::diff) operations: Vec<String>,
    /// Where operations start: operation, pair, ways.
    pub(in crate::diff) roots: Vec<(usize, usize, u8)>,
    /// Which operations use a security scheme, by its name in the new document.
    pub(in crate::diff) scheme_users: HashMap<&'d str, Vec<usize>>,
    /// Pairs of path items that callbacks led to.
    pub(in crate::diff) callbacks: HashSet<(usize, usize, u8, usize)>,
}

/// The address of a value: what tells places apart while their pointers are not needed yet.
pub(in crate::diff) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

impl<'d> Comparison<'d> {
    pub(in crate::diff) fn new(old: &'d Value, new: &'d Value) -> Self {
        Self {
            old: Side::new(old),
            new: Side::new(new),
            deltas: Vec::new(),
            known: HashMap::new(),
            pairs: Vec::new(),
            memo: HashMap::new(),
            waiting: Vec::new(),
            operations: Vec::new(),
            roots: Vec::new(),
            scheme_users: HashMap::new(),
            callbacks: HashSet::new(),
        }
    }

    /// Notes a difference, once however often it is met.
    pub(in crate::diff) fn delta(
        &mut self,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        only: u8,
        what: impl FnOnce() -> String,
    ) -> usize {
        let of = |mark: Mark<'d>| mark.value.map_or(0, address);
        let mut key = (rule.id, of(old), of(new), only);
        if key.1 == 0 && key.2 == 0 {
            key.1 = old.home.map_or(0, address);
            key.2 = new.home.map_or(0, address);
        }
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let index = self.deltas.len();
        self.known.insert(key, index);
        self.deltas.push(Delta {
            rule,
            old,
            new,
            what: what(),
            only,
            ways: 0,
            operations: Operations::default(),
        });
        index
    }

    /// The pair of two schemas, compared later if it is not yet known. `None` when they are plainly the same.
    /// What stands around a reference and constrains nothing is compared here, for `pair`.
    pub(in crate::diff) fn enter(
        &mut self,
        pair: &mut Pair,
        old: Site<'d>,
        new: Site<'d>,
        form: Form,
    ) -> Option<usize> {
        match (old.parts.as_slice(), new.parts.as_slice()) {
            ([], []) => return None,
            ([a], [b]) if old.or_null == new.or_null && plainly_equal(a, b) => return None,
            _ => {}
        }
        let (old, old_wraps) = peel(&mut self.old, old);
        let (new, new_wraps) = peel(&mut self.new, new);
        if !(old_wraps.is_empty() && new_wraps.is_empty()) {
            self.wrapped(pair, (&old, &old_wraps), (&new, &new_wraps));
        }
        let key = (key(&old), key(&new), form);
        if let Some(known) = self.memo.get(&key) {
            return Some(*known);
        }
        let index = self.pairs.len();
        self.memo.insert(key, index);
        self.pairs.push(Pair::default());
        self.waiting.push((index, old, new, form));
        Some(index)
    }

    /// Compares two schemas that `pair` leads to.
    pub(in crate::diff) fn child(
        &mut self,
        pair: &mut Pair,
        old: Site<'d>,
        new: Site<'d>,
        form: Form,
        only: u8,
        turn: Turn,
    ) {
        if let Some(to) = self.enter(pair, old, new, form) {
            pair.edges.push(Edge { to, only, turn });
        }
    }

    /// Compares two schemas of an operation.
    pub(in crate::diff) fn root(
        &mut self,
        operation: usize,
        old: Site<'d>,
        new: Site<'d>,
        form: Form,
        ways: u8,
    ) {
        let mut start = Pair::default();
        let to = self.enter(&mut start, old, new, form);
        for delta in start.deltas {
            self.reached(delta, operation, ways);
        }
        if let Some(to) = to {
            self.roots.push((operation, to, ways));
        }
    }

    /// Compares all pairs that are waiting, and those that they lead to.
    pub(in crate::diff) fn drain(&mut self) {
        while let Some((index, old, new, form)) = self.waiting.pop() {
            let mut pair = Pair::default();
            self.schemas(&mut pair, &old, &new, form);
            if let Some(slot) = self.pairs.get_mut(index) {
                *slot = pair;
            }
        }
    }

    /// Notes that an operation reaches a difference.
    pub(in crate::diff) fn reached(&mut self, delta: usize, operation: usize, ways: u8) {
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

    /// Notes that several operations reach a difference.
    pub(in crate::diff) fn reached_by(&mut self, delta: usize, operations: &Operations, ways: u8) {
        let Some(delta) = self.deltas.get_mut(delta) else {
            return;
        };
        let ways = ways & way::with_not(delta.only);
        if ways != 0 {
            delta.ways |= ways;
            delta.operations.extend(operations);
        }
    }

    /// Notes a difference that belongs to one operation.
    pub(in crate::diff) fn direct(
        &mut self,
        operation: usize,
        ways: u8,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) {
        let delta = self.delta(rule, old, new, way::ALL, what);
        self.reached(delta, operation, ways);
    }

    /// Annotations of the wrappers of a reference, as far as the other side does not have the same somewhere.
    fn wrapped(
        &mut self,
        pair: &mut Pair,
        old: (&Site<'d>, &[&'d Value]),
        new: (&Site<'d>, &[&'d Value]),
    ) {
        let mut keywords: Vec<&'d str> = Vec::new();
        for key in old
            .1
            .iter()
            .chain(new.1)
            .filter_map(|wrap| wrap.as_object())
            .flat_map(|map| map.keys())
        {
            if is_annotation(key) && !keywords.contains(&key.as_str()) {
                keywords.push(key);
            }
        }
        for keyword in keywords {
            let has = |(site, wraps): (&Site<'d>, &[&'d Value]), value: &Value| {
                wraps
                    .iter()
                    .chain(&site.parts)
                    .any(|part| part.get(keyword) == Some(value))
            };
            let gone = old
                .1
                .iter()
                .find_map(|wrap| wrap.get(keyword).filter(|value| !has(new, value)));
            let come = new
                .1
                .iter()
                .find_map(|wrap| wrap.get(keyword).filter(|value| !has(old, value)));
            if gone.is_none() && come.is_none() {
                continue;
            }
            let home = |(site, wraps): (&Site<'d>, &[&'d Value])| {
                wraps.first().copied().unwrap_or(site.home)
            };
            // What one side says beside the reference, the other may say where it leads.
            let gone = gone.or_else(|| old.0.parts.iter().find_map(|part| part.get(keyword)));
            let come = come.or_else(|| new.0.parts.iter().find_map(|part| part.get(keyword)));
            self.annotation(
                pair,
                keyword,
                Mark::within(gone, home(old)),
                Mark::within(come, home(new)),
                Form::Data,
            );
        }
    }
}

fn key(site: &Site<'_>) -> Key {
    let mut parts = site.parts.iter().map(|part| address(part));
    let first = parts.next().unwrap_or_default();
    (first, parts.collect(), site.or_null)
}

/// Follows references and one-element lists to what is meant, and keeps the objects that were passed.
fn peel<'d>(side: &mut Side<'d>, mut site: Site<'d>) -> (Site<'d>, Vec<&'d Value>) {
    let mut wraps = Vec::new();
    // A longer chain is a circle, which is found when the schema is flattened.
    for _ in 0..64 {
        let [part] = site.parts.as_slice() else { break };
        let part = *part;
        let Some(map) = part.as_object() else { break };
        let mut inner = None;
        let mut others = false;
        for (keyword, value) in map {
            match keyword.as_str() {
                "$ref" if inner.is_none() => {
                    inner = reference(part).and_then(|reference| side.target(reference, part));
                    others |= inner.is_none();
                }
                "allOf" | "oneOf" | "anyOf" if inner.is_none() => {
                    match value.as_array().map(Vec::as_slice) {
                        Some([only]) => inner = Some(only),
                        _ => others = true,
                    }
                }
                other => others |= !is_annotation(other),
            }
        }
        let Some(inner) = inner.filter(|_| !others) else {
            break;
        };
        if map.len() > 1 {
            wraps.push(part);
        }
        site.parts = vec![inner];
        site.home = inner;
    }
    (site, wraps)
}

/// Whether two values are equal and refer to nothing, so that no look into them is needed.
fn plainly_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && !a.contains_key("$ref")
                && !a.contains_key("discriminator")
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| plainly_equal(a, b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plainly_equal(a, b))
        }
        _ => a == b,
    }
}

impl<'d> Comparison<'d> {
    /// Compares what no other function knows of two objects: words for people, extensions, and the rest as unhandled.
    pub(in crate::diff) fn leftovers(
        &mut self,
        operations: &[usize],
        ways: u8,
        (old, new): (&'d Value, &'d Value),
        known: &[&str],
    ) {
        let keys = |value: &'d Value| value.as_object().into_iter().flat_map(|map| map.keys());
        let mut names: Vec<&'d String> = keys(old).collect();
        names.extend(keys(new).filter(|key| old.get(key.as_str()).is_none()));
        for name in names {
            let (a, b) = (old.get(name), new.get(name));
            if known.contains(&name.as_str()) || a == b {
                continue;
            }
            let rule = if crate::diff::schemas::flat::flatten::DOCS.contains(&name.as_str()) {
                &rules::DOCS_CHANGED
            } else if name.starts_with("x-") {
                &rules::EXTENSION_CHANGED
            } else {
                &rules::UNHANDLED
            };
            let what = crate::diff::verdicts::say::changed(name, a, b);
            let delta = self.delta(
                rule,
                Mark::within(a, old),
                Mark::within(b, new),
                way::ALL,
                || what,
            );
            for operation in operations {
                self.reached(delta, *operation, ways);
            }
        }
        if !(old.is_object() && new.is_object()) && old != new {
            let what = crate::diff::verdicts::say::changed("the value", Some(old), Some(new));
            let delta = self.delta(
                &rules::UNHANDLED,
                Mark::at(old),
                Mark::at(new),
                way::ALL,
                || what,
            );
            for operation in operations {
                self.reached(delta, *operation, ways);
            }
        }
    }
}
