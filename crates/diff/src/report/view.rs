//! How changes are grouped for people.

use std::collections::HashMap;
use std::hash::Hash;

use super::attribution::Entry;
use crate::verdicts::Wire;

/// So many operations are named.
const NAMED: usize = 3;

/// How changes are grouped for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// By the operations that they reach: what a call does now.
    #[default]
    Operation,
    /// By the component or operation in which they were written.
    Component,
    /// By what they do on the wire.
    Severity,
}

/// Changes under one heading.
pub(super) struct Group<'e> {
    pub(super) heading: String,
    pub(super) entries: Vec<&'e Entry>,
}

impl View {
    /// The groups, in the order of the worst change of each.
    pub(super) fn groups<'e>(self, entries: &[&'e Entry]) -> Vec<Group<'e>> {
        match self {
            Self::Operation => grouped(entries, operations, |names| some(names)),
            Self::Component => grouped(
                entries,
                |entry| entry.change.owner.as_str(),
                |owner| (*owner).to_owned(),
            ),
            Self::Severity => grouped(entries, |entry| entry.change.wire, Wire::to_string),
        }
    }
}

/// The sentence of a change below a heading, which may name its component.
pub(super) fn sentence(entry: &Entry, heading: &str) -> String {
    let change = &entry.change;
    match heading == change.owner {
        true => change.message.clone(),
        false => format!("{}: {}", change.owner, change.message),
    }
}

/// The operations that a change reaches; without any, where it was written.
pub(super) fn operations(entry: &Entry) -> Vec<&str> {
    let change = &entry.change;
    match change.operations.is_empty() {
        true => vec![&change.owner],
        false => change.operations.iter().map(|name| &**name).collect(),
    }
}

/// The first of these names, and how many more there are.
pub(super) fn some(names: &[&str]) -> String {
    match names.get(..NAMED) {
        Some(first) if names.len() > NAMED + 1 => {
            format!("{} and {} more", first.join(", "), names.len() - NAMED)
        }
        _ => names.join(", "),
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

/// The worst change of some.
pub(super) fn worst(entries: &[&Entry]) -> Wire {
    let all = entries.iter().map(|entry| entry.change.wire);
    all.max().unwrap_or(Wire::None)
}
