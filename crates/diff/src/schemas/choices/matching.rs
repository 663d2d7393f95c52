//! Alternatives of two documents in pairs: by the enum values that choose them, by content, by name, by likeness.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::shape::Shape;

/// Above this many pairs of alternatives only names and equal contents are matched.
const PAIRS: usize = 4096;

/// Positions in the two lists that are a pair.
#[derive(Default)]
struct Pairs {
    matched: HashMap<usize, usize>,
    taken: HashSet<usize>,
}

impl Pairs {
    fn add(&mut self, index: usize, other: usize) {
        self.matched.insert(index, other);
        self.taken.insert(other);
    }

    /// Pairs each alternative with the first that has a key of it and is the same.
    fn pass<K: Eq + Hash>(
        &mut self,
        (before, after): (&[Shape<'_>], &[Shape<'_>]),
        keys: impl Fn(&Shape<'_>) -> Vec<K>,
        same: impl Fn(&Shape<'_>, &Shape<'_>) -> bool,
    ) {
        let mut having: HashMap<K, VecDeque<(usize, &Shape<'_>)>> = HashMap::new();
        for (other, b) in after.iter().enumerate() {
            for key in keys(b) {
                having.entry(key).or_default().push_back((other, b));
            }
        }
        for (index, a) in before.iter().enumerate() {
            if self.matched.contains_key(&index) {
                continue;
            }
            let first = |key: K| {
                let all = having.get_mut(&key)?;
                while all
                    .front()
                    .is_some_and(|(other, _)| self.taken.contains(other))
                {
                    all.pop_front();
                }
                let mut free = all.iter().filter(|(other, _)| !self.taken.contains(other));
                free.find(|(_, b)| same(a, b)).map(|(other, _)| *other)
            };
            let found = keys(a).into_iter().filter_map(first).min();
            if let Some(found) = found {
                self.add(index, found);
            }
        }
    }
}

/// Pairs of alternatives by their positions: by the enum values that choose them, by content, by name, by likeness.
pub(crate) fn matches(before: &[Shape<'_>], after: &[Shape<'_>]) -> HashMap<usize, usize> {
    let mut pairs = Pairs::default();
    let both = (before, after);
    let tagged = |a: &Shape<'_>, b: &Shape<'_>| !a.tags.is_disjoint(&b.tags);
    let tags = |one: &Shape<'_>| one.tags.iter().map(|tag| (*tag).to_owned()).collect();
    let name = |one: &Shape<'_>| one.name.map(str::to_owned).into_iter().collect();
    pairs.pass(both, |one| vec![one.print], tagged);
    // Of values that were swapped, the schemas stay, and not the values.
    pairs.pass(both, |one| vec![one.print], |_, _| true);
    pairs.pass(both, tags, |_, _| true);
    pairs.pass(both, name, |a, b| a.likeness(b) > 0);
    let Pairs {
        mut matched,
        mut taken,
    } = pairs;
    if before.len().saturating_mul(after.len()) <= PAIRS {
        let mut likely: Vec<(u32, usize, usize)> = Vec::new();
        for (index, a) in before
            .iter()
            .enumerate()
            .filter(|(index, _)| !matched.contains_key(index))
        {
            for (other, b) in after
                .iter()
                .enumerate()
                .filter(|(other, _)| !taken.contains(other))
            {
                likely.push((a.likeness(b), index, other));
            }
        }
        likely
            .sort_by_key(|(likeness, index, other)| (std::cmp::Reverse(*likeness), *index, *other));
        for (likeness, index, other) in likely {
            if likeness > 0 && !matched.contains_key(&index) && !taken.contains(&other) {
                matched.insert(index, other);
                taken.insert(other);
            }
        }
    }
    matched
}
