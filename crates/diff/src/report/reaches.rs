//! Which operations changes reach, for programs: changes share a few lists, and a list is a few ranges of numbers. Written out for each
//! change, the names would be most of a report.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::attribution::{Entry, Report};

/// The lists of operations that the changes of a report reach.
pub(super) struct Reaches<'r> {
    /// All operations: their numbers are their places here.
    pub(super) operations: Vec<&'r str>,
    /// Each list as ranges of numbers, with the first and the last of each.
    pub(super) lists: Vec<Vec<(usize, usize)>>,
    /// The list of a change, by where its names are.
    by_names: HashMap<*const Rc<str>, usize>,
}

impl<'r> Reaches<'r> {
    pub(super) fn of(report: &'r Report) -> Self {
        let entries = || {
            let waived = report.waived.iter().map(|waived| &waived.entry);
            let forward = report.forward.iter().flat_map(|forward| &forward.changes);
            report.changes.iter().chain(waived).chain(forward)
        };
        let mut seen = BTreeSet::new();
        let mut all: BTreeSet<&str> = report.operations.keys().map(String::as_str).collect();
        for names in entries().map(|entry| &entry.change.operations) {
            if seen.insert(names.as_ptr()) {
                all.extend(names.iter().map(|name| &**name));
            }
        }
        let operations: Vec<&str> = all.into_iter().collect();
        let numbers: HashMap<&str, usize> = operations.iter().copied().zip(0..).collect();
        let mut reaches = Self {
            operations,
            lists: Vec::new(),
            by_names: HashMap::new(),
        };
        let mut known: HashMap<Vec<(usize, usize)>, usize> = HashMap::new();
        for names in entries().map(|entry| &entry.change.operations) {
            if reaches.by_names.contains_key(&names.as_ptr()) {
                continue;
            }
            let listed = names.iter().filter_map(|name| numbers.get(&**name));
            let ranges = ranges(listed.copied().collect());
            let next = reaches.lists.len();
            let list = *known.entry(ranges).or_insert_with_key(|ranges| {
                reaches.lists.push(ranges.clone());
                next
            });
            reaches.by_names.insert(names.as_ptr(), list);
        }
        reaches
    }

    /// The number of the list of operations that a change reaches.
    pub(super) fn list(&self, entry: &Entry) -> usize {
        let names = entry.change.operations.as_ptr();
        self.by_names.get(&names).copied().unwrap_or_default()
    }
}

/// Numbers as ranges, with the first and the last of each.
fn ranges(numbers: BTreeSet<usize>) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}
