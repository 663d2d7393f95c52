//! Pairs the alternatives of two documents: by the enum values that choose them, by content, by name, by likeness.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::shape::Shape;

/// Maximum number of pairs that are compared by likeness. Beyond it, alternatives are matched by a key that is unique in both lists.
const PAIRS: usize = 4096;

/// Maximum number of alternatives with one key that are searched for an equal one.
const NEAR: usize = 64;

/// Unpaired alternatives, with their positions.
type Left<'s, 'd> = Vec<(usize, &'s Shape<'d>)>;

/// Paired positions in the two lists.
struct Pairs<'s, 'd> {
    before: &'s [Shape<'d>],
    after: &'s [Shape<'d>],
    matched: HashMap<usize, usize>,
    taken: HashSet<usize>,
}

impl<'s, 'd> Pairs<'s, 'd> {
    fn add(&mut self, index: usize, other: usize) {
        self.matched.insert(index, other);
        self.taken.insert(other);
    }

    /// Pairs each alternative with the first one that shares a key and is the same.
    fn pass<K: Eq + Hash>(
        &mut self,
        keys: impl Fn(&Shape<'d>) -> Vec<K>,
        same: impl Fn(&Shape<'d>, &Shape<'d>) -> bool,
    ) {
        let mut having: HashMap<K, VecDeque<(usize, &Shape<'d>)>> = HashMap::new();
        for (other, b) in self.after.iter().enumerate() {
            for key in keys(b) {
                having.entry(key).or_default().push_back((other, b));
            }
        }
        for (index, a) in self.before.iter().enumerate() {
            if self.matched.contains_key(&index) {
                continue;
            }
            let mut found: Option<usize> = None;
            for key in keys(a) {
                let Some(all) = having.get_mut(&key) else {
                    continue;
                };
                while let Some((other, _)) = all.front()
                    && self.taken.contains(other)
                {
                    all.pop_front();
                }
                let near = all.iter().take(NEAR);
                let mut free = near.filter(|(other, _)| !self.taken.contains(other));
                if let Some((other, _)) = free.find(|(_, b)| same(a, b)) {
                    found = Some(found.map_or(*other, |found| found.min(*other)));
                }
            }
            if let Some(found) = found {
                self.add(index, found);
            }
        }
    }

    /// Returns the unpaired alternatives of both lists.
    fn left(&self) -> (Left<'s, 'd>, Left<'s, 'd>) {
        let before = self.before.iter().enumerate();
        let after = self.after.iter().enumerate();
        (
            before
                .filter(|(index, _)| !self.matched.contains_key(index))
                .collect(),
            after
                .filter(|(other, _)| !self.taken.contains(other))
                .collect(),
        )
    }

    /// Pairs two similar alternatives if they share a key that is unique among the unpaired ones.
    fn alone<K: Eq + Hash>(&mut self, keys: impl Fn(&'s Shape<'d>) -> Vec<K>) {
        let (before, after) = self.left();
        let (first, second) = (by_key(&before, &keys), by_key(&after, &keys));
        for (index, a) in before {
            let found = keys(a).into_iter().find_map(|key| {
                let other = first.get(&key).copied().flatten().and(*second.get(&key)?)?;
                let b = self.after.get(other)?;
                (!self.taken.contains(&other) && a.likeness(b) > 0).then_some(other)
            });
            if let Some(found) = found {
                self.add(index, found);
            }
        }
    }

    /// Pairs the remaining alternatives by likeness, the most similar first.
    fn likely(&mut self) {
        let (before, after) = self.left();
        if before.len().saturating_mul(after.len()) > PAIRS {
            return;
        }
        let mut likely: Vec<(u32, usize, usize)> = Vec::new();
        for (index, a) in before {
            let all = after.iter();
            likely.extend(all.map(|(other, b)| (a.likeness(b), index, *other)));
        }
        likely
            .sort_by_key(|(likeness, index, other)| (std::cmp::Reverse(*likeness), *index, *other));
        for (likeness, index, other) in likely {
            if likeness > 0 && !self.matched.contains_key(&index) && !self.taken.contains(&other) {
                self.add(index, other);
            }
        }
    }
}

/// Returns the position of each key; `None` for one that several alternatives have.
fn by_key<'s, 'd, K: Eq + Hash>(
    all: &Left<'s, 'd>,
    keys: impl Fn(&'s Shape<'d>) -> Vec<K>,
) -> HashMap<K, Option<usize>> {
    let mut by_key: HashMap<K, Option<usize>> = HashMap::new();
    for (index, one) in all {
        for key in keys(one) {
            let known = by_key.entry(key);
            known.and_modify(|one| *one = None).or_insert(Some(*index));
        }
    }
    by_key
}

/// Returns pairs of positions of alternatives: by the enum values that choose them, by content, by name, by likeness.
pub(crate) fn matches(before: &[Shape<'_>], after: &[Shape<'_>]) -> HashMap<usize, usize> {
    let mut pairs = Pairs {
        before,
        after,
        matched: HashMap::new(),
        taken: HashSet::new(),
    };
    pairs.pass(
        |one| one.tags.iter().map(|tag| (one.print, *tag)).collect(),
        |_, _| true,
    );
    pairs.pass(
        |one| Vec::from_iter(one.title.map(|title| (one.print, title))),
        |_, _| true,
    );
    // If values were swapped, equal schemas stay paired.
    pairs.pass(|one| vec![one.print], |_, _| true);
    pairs.pass(|one| one.tags.iter().copied().collect(), |_, _| true);
    pairs.pass(|one| Vec::from_iter(one.name), |a, b| a.likeness(b) > 0);
    pairs.likely();
    // Too many for that: pairs those with a key that is unique in both lists.
    pairs.alone(|one| {
        let lists = one.marks.iter();
        lists
            .flat_map(|(name, values)| values.iter().map(move |value| (*name, value)))
            .collect()
    });
    pairs.alone(|one| Vec::from_iter(one.title));
    pairs.alone(|one| vec![(one.types, &one.properties)]);
    pairs.likely();
    pairs.matched
}
