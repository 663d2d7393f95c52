//! Operations that changes reach, for programs: changes share a few lists of operations, and a list is its first ranges of numbers. If the
//! names were repeated for each change, they would be most of a report.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::attribution::{Entry, Report};
use crate::verdicts::{Operations, Reached};

/// Number of ranges written per list, as in the schema of the report. The count of a change includes all its operations.
const RANGES: usize = 32;

/// The first and the last number of each range.
type Ranges = Vec<(usize, usize)>;

/// Lists of operations that the changes of a report reach.
pub(super) struct Reaches<'r> {
    /// All operations, numbered by their position.
    pub(super) operations: Vec<&'r str>,
    /// Each list as ranges of numbers, with the first and the last of each.
    pub(super) lists: Vec<Ranges>,
    /// List of a change, by the address of its set.
    by_set: HashMap<*const Operations, usize>,
}

impl<'r> Reaches<'r> {
    pub(super) fn of(report: &'r Report) -> Self {
        let entries = report.changes.iter();
        let all_reached: Vec<&Reached> = entries.map(|entry| &entry.change.operations).collect();
        // Names of one comparison have the same numbers.
        let mut comparisons: HashMap<*const String, (&'r Reached, Operations)> = HashMap::new();
        let mut seen = BTreeSet::new();
        for reached in &all_reached {
            if seen.insert(Rc::as_ptr(reached.set())) {
                let known = comparisons.entry(reached.all().as_ptr());
                let (_, all) = known.or_insert_with(|| (*reached, Operations::default()));
                all.extend(reached.set());
            }
        }
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for (reached, all) in comparisons.values() {
            let all = all.iter().filter_map(|own| reached.all().get(own));
            names.extend(all.map(String::as_str));
        }
        let operations: Vec<&str> = names.into_iter().collect();
        let mut own_numbers: HashMap<*const String, Vec<Option<usize>>> = HashMap::new();
        for (key, (reached, _)) in comparisons {
            let own: HashMap<&str, usize> =
                reached.all().iter().map(String::as_str).zip(0..).collect();
            let numbers = operations.iter().map(|name| own.get(name).copied());
            own_numbers.insert(key, numbers.collect());
        }
        let mut reaches = Self {
            operations,
            lists: Vec::new(),
            by_set: HashMap::new(),
        };
        let mut known: HashMap<Ranges, usize> = HashMap::new();
        for reached in all_reached {
            let key = Rc::as_ptr(reached.set());
            let own = own_numbers.get(&reached.all().as_ptr());
            let Some(own) = own.filter(|_| !reaches.by_set.contains_key(&key)) else {
                continue;
            };
            let list = known.entry(ranges(reached, own));
            let list = *list.or_insert_with_key(|ranges| {
                reaches.lists.push(ranges.clone());
                reaches.lists.len() - 1
            });
            reaches.by_set.insert(key, list);
        }
        reaches
    }

    /// Returns the number of the list of operations that a change reaches.
    pub(super) fn list(&self, entry: &Entry) -> usize {
        let set = Rc::as_ptr(entry.change.operations.set());
        self.by_set.get(&set).copied().unwrap_or_default()
    }
}

/// Returns the first ranges of reached positions. `own` has the operation number of each position.
fn ranges(reached: &Reached, own: &[Option<usize>]) -> Ranges {
    let mut ranges: Ranges = Vec::new();
    for (place, own) in own.iter().enumerate() {
        if !own.is_some_and(|own| reached.set().has(own)) {
            continue;
        }
        let is_full = ranges.len() == RANGES;
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == place => *last = place,
            _ if is_full => break,
            _ => ranges.push((place, place)),
        }
    }
    ranges
}
