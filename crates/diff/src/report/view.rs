//! Grouping of changes for people.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use clap::ValueEnum;

use super::attribution::Entry;
use crate::verdicts::{Reached, Wire};

/// Number of operations named.
const NAMED: usize = 3;

/// Grouping of changes for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// By the operations that a change reaches.
    #[default]
    Operation,
    /// By the component or operation in which it was written.
    Component,
    /// By what it does on the wire.
    Severity,
}

/// Changes below one heading.
pub(super) struct Group<'e> {
    pub(super) heading: String,
    pub(super) entries: Vec<&'e Entry>,
}

impl View {
    /// Returns the groups, ordered by the worst change of each.
    pub(super) fn groups<'e>(self, entries: &[&'e Entry]) -> Vec<Group<'e>> {
        match self {
            Self::Operation => grouped(entries, Reach::of, |reach| match reach {
                Reach::Owner(owner) => (*owner).to_owned(),
                Reach::Operations(names) => some(names.0),
            }),
            Self::Component => grouped(
                entries,
                |entry| entry.change.owner.as_str(),
                |owner| (*owner).to_owned(),
            ),
            Self::Severity => grouped(entries, |entry| entry.change.wire, Wire::to_string),
        }
    }
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

/// Returns the enum value that a change adds or removes, and what became of it.
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

/// Heading of a change: the operations that it reaches; without any, its owner.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Reach<'e> {
    Owner(&'e str),
    Operations(Names<'e>),
}

impl<'e> Reach<'e> {
    fn of(entry: &'e Entry) -> Self {
        let change = &entry.change;
        if change.operations.is_empty() {
            Self::Owner(&change.owner)
        } else {
            Self::Operations(Names(&change.operations))
        }
    }
}

/// Operations compared by their sets alone, because all changes of a report share the names.
#[derive(Clone)]
struct Names<'e>(&'e Reached);

impl PartialEq for Names<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.set() == other.0.set()
    }
}

impl Eq for Names<'_> {}

impl Hash for Names<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.set().hash(state);
    }
}

/// Returns the first of these names, and the number of others.
pub(super) fn some(names: &Reached) -> String {
    let all = names.len();
    let shown = if all > NAMED + 1 { NAMED } else { all };
    let first: Vec<&str> = names.iter().take(shown).collect();
    match all - shown {
        0 => first.join(", "),
        left => format!("{} and {left} more", first.join(", ")),
    }
}

fn grouped<'e, K: Clone + Hash + Eq>(
    entries: &[&'e Entry],
    key: impl Fn(&'e Entry) -> K,
    heading: impl Fn(&K) -> String,
) -> Vec<Group<'e>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut index: HashMap<K, usize> = HashMap::new();
    for entry in entries {
        let key = key(entry);
        let at = *index.entry(key.clone()).or_insert_with(|| {
            groups.push(Group {
                heading: heading(&key),
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
