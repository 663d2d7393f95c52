//! Pairs the elements of an old list with those of a new one.

use serde_json::Value;

/// Maximum number of comparisons for the longest common subsequence.
const COMPARED: usize = 250_000;

/// Returns for each new element the old one that it equals or derives from; each old one at most once, in order.
pub(super) fn pairs(old: &[Value], new: &[Value]) -> Vec<Option<usize>> {
    let mut found = if old.len().saturating_mul(new.len()) <= COMPARED {
        longest(old, new)
    } else {
        greedy(old, new)
    };
    likely(old, new, &mut found);
    found
}

/// Returns the equal elements of the longest common subsequence.
fn longest(old: &[Value], new: &[Value]) -> Vec<Option<usize>> {
    // Its length from here on, by the new element and the old one.
    let mut lengths = vec![vec![0usize; old.len() + 1]; new.len() + 1];
    let length = |lengths: &[Vec<usize>], at: usize, other: usize| {
        let row = lengths.get(at);
        row.and_then(|row| row.get(other)).copied().unwrap_or(0)
    };
    for (at, value) in new.iter().enumerate().rev() {
        for (other, was) in old.iter().enumerate().rev() {
            let best = if value == was {
                length(&lengths, at + 1, other + 1) + 1
            } else {
                length(&lengths, at + 1, other).max(length(&lengths, at, other + 1))
            };
            if let Some(cell) = lengths.get_mut(at).and_then(|row| row.get_mut(other)) {
                *cell = best;
            }
        }
    }
    let mut found = vec![None; new.len()];
    let (mut at, mut other) = (0, 0);
    while let (Some(value), Some(was)) = (new.get(at), old.get(other)) {
        if value == was {
            if let Some(slot) = found.get_mut(at) {
                *slot = Some(other);
            }
            (at, other) = (at + 1, other + 1);
        } else if length(&lengths, at + 1, other) >= length(&lengths, at, other + 1) {
            at += 1;
        } else {
            other += 1;
        }
    }
    found
}

/// Pairs equal elements greedily, in order.
fn greedy(old: &[Value], new: &[Value]) -> Vec<Option<usize>> {
    let mut next = 0;
    new.iter()
        .map(|value| {
            let (index, _) = (old.iter().enumerate().skip(next)).find(|(_, was)| *was == value)?;
            next = index + 1;
            Some(index)
        })
        .collect()
}

/// Pairs objects of the same name between the same neighbours.
fn likely(old: &[Value], new: &[Value], found: &mut [Option<usize>]) {
    let mut from = 0;
    for at in 0..found.len() {
        if let Some(Some(index)) = found.get(at) {
            from = index + 1;
            continue;
        }
        let until = (found.iter().skip(at)).find_map(|one| *one);
        let until = until.unwrap_or(old.len());
        let Some(Value::Object(value)) = new.get(at) else {
            continue;
        };
        let is_same = |was: &Value| {
            ["name", "$ref"]
                .iter()
                .all(|key| was.get(key) == value.get(*key))
        };
        let between = (from..until).find(|index| {
            old.get(*index)
                .is_some_and(|was| was.is_object() && is_same(was))
        });
        if let (Some(index), Some(slot)) = (between, found.get_mut(at)) {
            *slot = Some(index);
            from = index + 1;
        }
    }
}
