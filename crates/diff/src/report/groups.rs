//! Groups of changes for people: by the operations that a change reaches.

use std::collections::HashMap;

use openapi_document::readable::listed;

use super::attribution::Entry;
use crate::verdicts::{Operations, Reached};

/// Number of operations named.
const NAMED: usize = 3;

/// Changes below one heading.
pub(super) struct Group<'e> {
    pub(super) heading: String,
    pub(super) entries: Vec<&'e Entry>,
}

/// Returns the groups, ordered by the worst change of each. A change that reaches no operation is in that of its owner.
pub(super) fn groups<'e>(entries: &[&'e Entry]) -> Vec<Group<'e>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut index: HashMap<(Option<&str>, &Operations), usize> = HashMap::new();
    for entry in entries {
        let change = &entry.change;
        let owner = change.operations.is_empty().then_some(&*change.owner);
        let at = *index
            .entry((owner, change.operations.set()))
            .or_insert_with(|| {
                groups.push(Group {
                    heading: owner.map_or_else(|| some(&change.operations), str::to_owned),
                    entries: Vec::new(),
                });
                groups.len() - 1
            });
        if let Some(group) = groups.get_mut(at) {
            group.entries.push(entry);
        }
    }
    groups
}

/// Returns the sentence of a change below a heading, which may name its component. `list` has all changes of its list, if it is one of an
/// enum value.
pub(super) fn sentence(first: &Entry, list: &[&Entry], heading: &str) -> String {
    let change = &first.change;
    let mut message = change.message.clone();
    if let (Some((_, state)), [_, _, ..]) = (enum_value(first), list) {
        let values = list.iter().filter_map(|entry| Some(enum_value(entry)?.0));
        let values: Vec<&str> = values.collect();
        let all = format!("the enum values {} are {state}", values.join(", "));
        message = message.replace(&change.what, &all);
    }
    if heading == change.owner {
        message
    } else {
        format!("{}: {message}", change.owner)
    }
}

/// Returns the enum value of a change, and whether it is new or gone.
fn enum_value(entry: &Entry) -> Option<(&str, &str)> {
    let value = entry.change.what.strip_prefix("the enum value ")?;
    value.rsplit_once(" is ")
}

impl Entry {
    /// Returns whether two changes add or remove values of one list.
    pub(super) fn is_of_list(&self, other: &Self) -> bool {
        let (one, two) = (&self.change, &other.change);
        let [list, next] = [one, two].map(|change| Some(&change.old.as_ref()?.subject));
        enum_value(self).is_some()
            && one.rule == two.rule
            && one.owner == two.owner
            && list == next
            && self.rust == other.rust
            && one.direction == two.direction
            && one.operations.set() == two.operations.set()
    }
}

/// Returns the first of these names, and the number of others.
pub(super) fn some(names: &Reached) -> String {
    let all: Vec<&str> = names.iter().collect();
    let is_one_over = all.len() == NAMED + 1;
    listed(&all, NAMED + usize::from(is_one_over))
}
