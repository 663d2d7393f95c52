//! Folds changes that are equal to a reader: the same sentence at several locations, or many values of one kind.

use std::collections::{BTreeSet, HashMap};

use super::attribution::Entry;
use crate::verdicts::Wire;

/// Maximum number of times that the same sentence is listed.
const SAME: usize = 3;

/// Maximum number of non-breaking changes of one rule that are listed.
const OF_A_RULE: usize = 12;

/// Changes that are shown as one.
pub(super) struct Folded<'e> {
    pub(super) entries: Vec<&'e Entry>,
    /// True if all have the same sentence.
    pub(super) is_same: bool,
}

impl Folded<'_> {
    /// Returns the number of components and operations that have the changes.
    pub(super) fn owners(&self) -> usize {
        let owners = self.entries.iter().map(|entry| entry.change.owner.as_str());
        owners.collect::<BTreeSet<_>>().len()
    }
}

/// Returns the changes that are listed separately, and those that are folded; both in order.
pub(super) fn fold<'e>(entries: &[&'e Entry]) -> (Vec<&'e Entry>, Vec<Folded<'e>>) {
    let mut left = entries.to_vec();
    let mut folded = Vec::new();
    for (most, is_same) in [(SAME, true), (OF_A_RULE, false)] {
        let key = |entry: &Entry| {
            let change = &entry.change;
            // Each breaking change is listed, unless its sentence is the same.
            let folds = is_same || change.wire != Wire::Breaking;
            let what = if is_same { change.what.as_str() } else { "" };
            folds.then(|| {
                (
                    change.rule.id,
                    entry.rust,
                    change.direction.to_string(),
                    what.to_owned(),
                )
            })
        };
        let mut numbers: HashMap<_, usize> = HashMap::new();
        for key in left.iter().filter_map(|entry| key(entry)) {
            *numbers.entry(key).or_default() += 1;
        }
        let mut groups: Vec<Vec<&'e Entry>> = Vec::new();
        let mut index: HashMap<_, usize> = HashMap::new();
        left.retain(|entry| {
            let Some(key) = key(entry).filter(|key| numbers.get(key).is_some_and(|n| *n > most))
            else {
                return true;
            };
            let at = *index.entry(key).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
            false
        });
        folded.extend(
            groups
                .into_iter()
                .map(|entries| Folded { entries, is_same }),
        );
    }
    folded.sort_by_key(|group| {
        let worst = group.entries.iter().map(|entry| entry.change.wire).max();
        std::cmp::Reverse(worst)
    });
    (left, folded)
}
