//! Alternatives of two documents in pairs: by the enum values that choose them, by content, by name, by likeness.

use std::collections::{BTreeSet, HashMap};

use super::shape::Shape;

/// Above this many pairs of alternatives only names and equal contents are matched.
const PAIRS: usize = 4096;

/// Pairs of alternatives by their positions: by the enum values that choose them, by content, by name, by likeness.
pub(crate) fn matches(before: &[Shape<'_>], after: &[Shape<'_>]) -> HashMap<usize, usize> {
    let mut matched: HashMap<usize, usize> = HashMap::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut pass = |same: &dyn Fn(&Shape<'_>, &Shape<'_>) -> bool| {
        for (index, a) in before.iter().enumerate() {
            if !matched.contains_key(&index)
                && let Some(found) = after
                    .iter()
                    .enumerate()
                    .position(|(other, b)| !taken.contains(&other) && same(a, b))
            {
                matched.insert(index, found);
                taken.insert(found);
            }
        }
    };
    pass(&|a, b| a.print == b.print && !a.tags.is_disjoint(&b.tags));
    // Of values that were swapped, the schemas stay, and not the values.
    pass(&|a, b| a.print == b.print);
    pass(&|a, b| !a.tags.is_disjoint(&b.tags));
    pass(&|a, b| a.name.is_some() && a.name == b.name && a.likeness(b) > 0);
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
