//! Operations that changes reach, for programs: changes share a few lists of operations, and a list is its first ranges of numbers. If the
//! names were repeated for each change, they would be most of a report.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::attribution::{Entry, Report};
use crate::verdicts::Operations;

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
        // All changes of a comparison share the names, and many of them a set.
        let first = report.changes.first();
        let names = first.map_or(&[][..], |entry| entry.change.operations.all());
        let mut all = Operations::default();
        let mut sets: Vec<&Rc<Operations>> = Vec::new();
        let mut seen = HashSet::new();
        for set in report
            .changes
            .iter()
            .map(|entry| entry.change.operations.set())
        {
            if seen.insert(Rc::as_ptr(set)) {
                all.extend(set);
                sets.push(set);
            }
        }
        let named = all
            .iter()
            .filter_map(|own| Some((names.get(own)?.as_str(), own)));
        let numbered: BTreeMap<&str, usize> = named.collect();
        let mut reaches = Self {
            operations: numbered.keys().copied().collect(),
            lists: Vec::new(),
            by_set: HashMap::new(),
        };
        let mut known: HashMap<Ranges, usize> = HashMap::new();
        for set in sets {
            let list = known.entry(ranges(set, numbered.values()));
            let list = *list.or_insert_with_key(|ranges| {
                reaches.lists.push(ranges.clone());
                reaches.lists.len() - 1
            });
            reaches.by_set.insert(Rc::as_ptr(set), list);
        }
        reaches
    }

    /// Returns the number of the list of operations that a change reaches.
    pub(super) fn list(&self, entry: &Entry) -> usize {
        let set = Rc::as_ptr(entry.change.operations.set());
        self.by_set.get(&set).copied().unwrap_or_default()
    }
}

/// Returns the first ranges of reached positions. `numbers` has the number of the operation at each position.
fn ranges<'n>(set: &Operations, numbers: impl Iterator<Item = &'n usize>) -> Ranges {
    let mut ranges: Ranges = Vec::new();
    for (place, _) in numbers.enumerate().filter(|(_, own)| set.has(**own)) {
        let is_full = ranges.len() == RANGES;
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == place => *last = place,
            _ if is_full => break,
            _ => ranges.push((place, place)),
        }
    }
    ranges
}
