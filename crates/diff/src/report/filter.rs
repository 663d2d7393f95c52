//! Filters the changes of a report.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;

use super::attribution::{Entry, Report, Rust};
use super::parts::Parts;
use crate::named::Named;
use crate::verdicts::Wire;

/// Matches an operation by its name and other properties.
type Means = fn(&str, &str, Option<&Named>) -> bool;

/// Criteria for changes. One criterion of each kind has to match; a kind without criteria matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Paths, each including everything below it.
    pub paths: Vec<String>,
    /// Tags of operations.
    pub tags: Vec<String>,
    /// Operations, by `operationId` or as `GET /books`.
    pub operations: Vec<String>,
    /// Lowest verdict.
    pub only: Option<Wire>,
}

impl Report {
    /// Keeps the changes that match a filter, and their matching operations.
    pub fn filtered(mut self, filter: &Filter) -> Self {
        if *filter == Filter::default() {
            return self;
        }
        let is_about_all =
            filter.paths.is_empty() && filter.tags.is_empty() && filter.operations.is_empty();
        if !is_about_all {
            let fits = |name: &str| filter.fits(name, self.operations.get(name));
            let mut parts = Parts::default();
            let mut keep = |entry: &mut Entry| {
                let names = &mut entry.change.operations;
                *names = parts.split(names, fits).0;
                !names.is_empty()
            };
            self.changes.retain_mut(&mut keep);
            self.waived.retain_mut(|waived| keep(&mut waived.entry));
        }
        let least = filter.only.unwrap_or(Wire::None);
        self.changes.retain(|entry| entry.change.wire >= least);
        self.unattributed.clear();
        let wire = self.changes.iter().map(|entry| entry.change.wire).max();
        self.wire = wire.unwrap_or(Wire::None);
        if self.rust != Rust::Unknown {
            let rust = self.changes.iter().map(|entry| entry.rust).max();
            self.rust = rust.unwrap_or(Rust::None);
        }
        self
    }
}

impl Filter {
    /// Returns the criteria by argument.
    fn kinds(&self) -> [(&'static str, &[String], Means); 3] {
        let has_tag: Means = |tag, _, named| named.is_some_and(|named| named.tags.contains(tag));
        let is_it: Means = |one, name, named| {
            is_called(one, name, named) || named.is_some_and(|named| named.ids.contains(one))
        };
        [
            ("--path", &self.paths, is_below),
            ("--tag", &self.tags, has_tag),
            ("--operation", &self.operations, is_it),
        ]
    }

    /// Returns the criteria that match none of these operations.
    pub fn unmatched(&self, operations: &BTreeMap<String, Named>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (argument, asked, means) in self.kinds() {
            for one in asked {
                let mut all = operations.iter();
                if !all.any(|(name, named)| means(one, name, Some(named))) {
                    let place = format!("{argument} {one}");
                    let message = "this matches no operation of either document";
                    let help = "correct it, or leave it out";
                    findings.push(Finding::about("filter", place, message, help));
                }
            }
        }
        findings
    }

    fn fits(&self, name: &str, named: Option<&Named>) -> bool {
        self.kinds().into_iter().all(|(_, asked, means)| {
            asked.is_empty() || asked.iter().any(|one| means(one, name, named))
        })
    }
}

/// Returns the names of an operation.
fn names<'n>(name: &'n str, named: Option<&'n Named>) -> impl Iterator<Item = &'n str> {
    let also = named.into_iter().flat_map(|named| &named.also);
    std::iter::once(name).chain(also.map(String::as_str))
}

/// Returns whether an operation has this name in either document.
pub(super) fn is_called(one: &str, name: &str, named: Option<&Named>) -> bool {
    names(name, named).any(|name| name == one)
}

/// Returns whether the path of an operation is this one in either document, or below it. `*` is anything within a part, `**` any parts.
pub(super) fn is_below(outer: &str, name: &str, named: Option<&Named>) -> bool {
    let parts = outer.trim_end_matches('/').split('/');
    let outer: Vec<&str> = parts.chain(["**"]).collect();
    names(name, named).any(|name| {
        let parts: Vec<&str> = path(name).split('/').collect();
        is_like(&outer, &parts, |part| *part == "**", is_part)
    })
}

/// Returns whether a part of a path matches this one, with `*` for anything.
fn is_part(pattern: &&str, part: &&str) -> bool {
    let [pattern, part] = [pattern, part].map(|text| text.chars().collect::<Vec<char>>());
    is_like(&pattern, &part, |c| *c == '*', char::eq)
}

/// Returns whether a whole list matches a pattern, in which some elements represent any number of items.
fn is_like<P, T>(
    pattern: &[P],
    list: &[T],
    is_any: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut next) = (0, 0);
    // Position of the last such element, and of the items after those that it matches so far.
    let mut last = None;
    loop {
        match (pattern.get(at), list.get(next)) {
            (None, None) => return true,
            (Some(one), _) if is_any(one) => {
                last = Some((at, next));
                at += 1;
            }
            (Some(one), Some(element)) if fits(one, element) => (at, next) = (at + 1, next + 1),
            _ => match last {
                Some((any, behind)) if behind < list.len() => {
                    last = Some((any, behind + 1));
                    (at, next) = (any + 1, behind + 1);
                }
                _ => return false,
            },
        }
    }
}

/// Returns the path in the name of an operation or a path item.
fn path(name: &str) -> &str {
    if let Some(path) = name.strip_suffix(" (path)") {
        return path;
    }
    let path = name.split_once(' ').map_or(name, |(_, path)| path);
    path.strip_prefix("webhook ").unwrap_or(path)
}
