//! Which changes of a report are looked at.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::attribution::{Entry, Report, Rust};
use crate::diff::named::Named;
use crate::diff::verdicts::Wire;
use crate::finding::Finding;

/// Operations that a change reaches.
type Names = Rc<[Rc<str>]>;

/// What a change has to be about. Of one kind, one has to fit; without any of a kind, all do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Paths, each with all below it.
    pub paths: Vec<String>,
    /// Tags of operations.
    pub tags: Vec<String>,
    /// Operations, by `operationId` or as `GET /books`.
    pub operations: Vec<String>,
    /// What it does, or worse.
    pub only: Option<Wire>,
}

impl Report {
    /// The changes that a filter lets through, with the operations that it does.
    pub fn filtered(mut self, filter: &Filter) -> Self {
        if *filter == Filter::default() {
            return self;
        }
        let is_about_all =
            filter.paths.is_empty() && filter.tags.is_empty() && filter.operations.is_empty();
        if !is_about_all {
            let fits = |name: &str| filter.fits(name, self.operations.get(name));
            // Changes share their lists, and share what is left of them.
            let mut known: HashMap<*const Rc<str>, (Names, Names)> = HashMap::new();
            let mut keep = |entry: &mut Entry| {
                let names = &mut entry.change.operations;
                let (_, kept) = known.entry(names.as_ptr()).or_insert_with(|| {
                    let kept = names.iter().filter(|name| fits(name));
                    (Rc::clone(names), kept.cloned().collect())
                });
                *names = Rc::clone(kept);
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
    /// What the filter asks for that none of these operations has.
    pub fn unmatched(&self, operations: &BTreeMap<String, Named>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let kinds = [
            ("--path", &self.paths),
            ("--tag", &self.tags),
            ("--operation", &self.operations),
        ];
        for (argument, asked) in kinds {
            for one in asked {
                let alone = match argument {
                    "--path" => Self {
                        paths: vec![one.clone()],
                        ..Self::default()
                    },
                    "--tag" => Self {
                        tags: vec![one.clone()],
                        ..Self::default()
                    },
                    _ => Self {
                        operations: vec![one.clone()],
                        ..Self::default()
                    },
                };
                let mut all = operations.iter();
                if !all.any(|(name, named)| alone.fits(name, Some(named))) {
                    let place = format!("{argument} {one}");
                    let message = "no operation of either document is meant by this";
                    let help = "correct it, or leave it out";
                    findings.push(Finding::about("filter", place, message, help));
                }
            }
        }
        findings
    }

    fn fits(&self, name: &str, named: Option<&Named>) -> bool {
        let below = |outer: &String| is_below(name, outer);
        let has_tag = |tag: &String| named.is_some_and(|named| named.tags.contains(tag));
        let is_it =
            |one: &String| one == name || named.is_some_and(|named| named.ids.contains(one));
        (self.paths.is_empty() || self.paths.iter().any(below))
            && (self.tags.is_empty() || self.tags.iter().any(has_tag))
            && (self.operations.is_empty() || self.operations.iter().any(is_it))
    }
}

/// Whether the path of an operation is this one, or stands below it.
pub(super) fn is_below(operation: &str, outer: &str) -> bool {
    let path = operation.rsplit(' ').next().unwrap_or_default();
    let outer = outer.trim_end_matches('/');
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
