//! Folds changes that are equal to a reader: the same sentence at several locations, or many values of one kind.

use std::collections::{BTreeSet, HashMap};

use super::attribution::{Entry, Rust};
use crate::verdicts::{Direction, Wire};

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

/// Properties that the changes of a group share.
#[derive(PartialEq, Eq, Hash)]
struct Key<'e> {
    rule: &'static str,
    rust: Rust,
    direction: Direction,
    /// The sentence, if it is the same.
    what: Option<&'e str>,
}

impl<'e> Key<'e> {
    /// Returns the key of a change, if it may be folded.
    fn of(entry: &'e Entry, is_same: bool) -> Option<Self> {
        let change = &entry.change;
        // Each breaking change is listed, unless its sentence is the same.
        (is_same || change.wire != Wire::Breaking).then(|| Self {
            rule: change.rule.id,
            rust: entry.rust,
            direction: change.direction,
            what: is_same.then_some(&change.what),
        })
    }
}

/// Returns the changes that are listed separately, and those that are folded; both in order.
pub(super) fn fold<'e>(entries: &[&'e Entry]) -> (Vec<&'e Entry>, Vec<Folded<'e>>) {
    let mut left = entries.to_vec();
    let mut folded = Vec::new();
    for (most, is_same) in [(SAME, true), (OF_A_RULE, false)] {
        let mut groups: HashMap<Key<'e>, Vec<&'e Entry>> = HashMap::new();
        for entry in &left {
            if let Some(key) = Key::of(entry, is_same) {
                groups.entry(key).or_default().push(entry);
            }
        }
        groups.retain(|_, entries| entries.len() > most);
        left.retain(|entry| {
            let key = Key::of(entry, is_same);
            let Some(group) = key.and_then(|key| groups.get_mut(&key)) else {
                return true;
            };
            // At the first change of the group.
            if !group.is_empty() {
                let entries = std::mem::take(group);
                folded.push(Folded { entries, is_same });
            }
            false
        });
    }
    folded.sort_by_key(|group| {
        let worst = group.entries.iter().map(|entry| entry.change.wire).max();
        std::cmp::Reverse(worst)
    });
    (left, folded)
}
