//! Paths that moved: a trailing slash was added or removed, or a common prefix changed. Each pair has its reason.
//! If only the ids of the operations support a pair, it is likely, not certain.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use openapi_document::pointer;
use openapi_schemas::METHODS;
use serde_json::{Map, Value};

use super::template::shape;

/// Number of paths from which prefixes are guessed; each guess is counted over all paths.
const GUESSES: usize = 8;

/// A path that was renamed in the new document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMove {
    /// Path in the old document.
    pub old: String,
    /// Path in the new document.
    pub new: String,
    /// Prefix before and after, if it changed.
    pub prefix: Option<(String, String)>,
    /// True if more than the ids of the operations supports the move, and nothing contradicts it.
    pub is_certain: bool,
}

/// A change of a prefix of paths.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Prefix {
    old: String,
    new: String,
}

impl Prefix {
    /// Returns a path with the new prefix; `None` if it lacks the old one.
    fn substituted(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.old.as_str())?;
        let is_within = rest.is_empty() || rest.starts_with('/');
        is_within.then(|| format!("{}{rest}", self.new))
    }
}

/// Paths of two documents that have no counterpart so far.
struct Left<'d> {
    /// Paths of the old document.
    gone: Vec<&'d str>,
    /// Paths of the new document by shape without the slash. If two of them share a shape, it is ambiguous.
    come: BTreeMap<String, Option<&'d str>>,
}

/// Returns the paths that moved, in the order of the old document. A path in both documents did not move.
pub fn moves(old: &Value, new: &Value) -> Vec<PathMove> {
    let (before, after) = (paths(old), paths(new));
    let mut left = Left {
        gone: missing(before, after),
        come: BTreeMap::new(),
    };
    for path in missing(after, before) {
        let one = left.come.entry(bare(path));
        one.and_modify(|path| *path = None).or_insert(Some(path));
    }
    let mut found = Vec::new();
    left.take(&mut found, None, true);
    while let Some(prefix) = left.best_prefix() {
        let is_certain = left.is_certain(&prefix, after);
        left.take(&mut found, Some(&prefix), is_certain);
    }
    left.take_by_ids(before, after, &mut found);
    let order: HashMap<&str, usize> = before.keys().map(String::as_str).zip(0..).collect();
    found.sort_by_key(|one| order.get(one.old.as_str()).copied());
    found
}

fn paths(document: &Value) -> &Map<String, Value> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let paths = document.get("paths").and_then(Value::as_object);
    paths.unwrap_or(&EMPTY)
}

/// Returns the paths whose shape the other document lacks.
fn missing<'d>(own: &'d Map<String, Value>, others: &Map<String, Value>) -> Vec<&'d str> {
    let shapes: HashSet<String> = others.keys().map(|path| shape(path)).collect();
    let paths = own.keys().filter(|path| path.starts_with('/'));
    let missing = paths.filter(|path| !shapes.contains(&shape(path)));
    missing.map(String::as_str).collect()
}

/// Returns a shape without a trailing slash.
fn bare(path: &str) -> String {
    shape(path.trim_end_matches('/'))
}

fn last_step(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

impl Left<'_> {
    /// Returns the new path of an old one, if a change of prefix explains it; without one, if they differ by the slash.
    fn counterpart(&self, old: &str, prefix: Option<&Prefix>) -> Option<(String, &str)> {
        let key = match prefix {
            Some(prefix) => prefix.substituted(&bare(old))?,
            None => bare(old),
        };
        let new = (*self.come.get(&key)?)?;
        Some((key, new))
    }

    /// Pairs all paths that one change of prefix explains; without a prefix, those that differ by the slash.
    fn take(&mut self, found: &mut Vec<PathMove>, prefix: Option<&Prefix>, is_certain: bool) {
        for old in std::mem::take(&mut self.gone) {
            let Some((key, new)) = self.counterpart(old, prefix) else {
                self.gone.push(old);
                continue;
            };
            found.push(PathMove {
                old: old.to_owned(),
                new: new.to_owned(),
                prefix: prefix.map(|prefix| (prefix.old.clone(), prefix.new.clone())),
                is_certain,
            });
            self.come.remove(&key);
        }
    }

    /// Returns the change of prefix that explains the most paths.
    fn best_prefix(&self) -> Option<Prefix> {
        let mut by_end: HashMap<&str, Vec<&str>> = HashMap::new();
        for (key, _) in self.come.iter().filter(|(_, path)| path.is_some()) {
            by_end.entry(last_step(key)).or_default().push(key);
        }
        let mut guesses: BTreeSet<Prefix> = BTreeSet::new();
        for old in self.gone.iter().take(GUESSES) {
            let old = bare(old);
            let same_end = by_end.get(last_step(&old)).into_iter().flatten();
            for path in same_end.take(GUESSES * GUESSES) {
                let (old, new) = pointer::prefixes(&old, path);
                let tail = path.get(new.len()..).unwrap_or_default();
                // Parameters alone may end any path.
                if tail.split('/').any(|step| !step.is_empty() && step != "{}") {
                    guesses.insert(Prefix { old, new });
                }
            }
        }
        let counted = guesses.into_iter().map(|guess| {
            let gone = self.gone.iter();
            let explained = gone.filter(|old| self.counterpart(old, Some(&guess)).is_some());
            (explained.count(), guess)
        });
        // Of equal ones the first.
        let best = counted.rev().max_by_key(|(count, _)| *count);
        best.filter(|(count, _)| *count > 0).map(|(_, guess)| guess)
    }

    /// Returns whether a change of prefix explains every path with the old prefix, and the new document has none left with it.
    fn is_certain(&self, prefix: &Prefix, after: &Map<String, Value>) -> bool {
        let all_follow = self.gone.iter().all(|old| {
            prefix.substituted(&bare(old)).is_none()
                || self.counterpart(old, Some(prefix)).is_some()
        });
        let extends = prefix.new.starts_with(&prefix.old);
        let mut paths = after.keys().map(|path| bare(path));
        all_follow && (extends || !paths.any(|path| prefix.substituted(&path).is_some()))
    }

    /// Pairs paths whose operations have the ids of exactly one new path.
    fn take_by_ids(
        &self,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        found: &mut Vec<PathMove>,
    ) {
        let mut known: HashMap<BTreeSet<Id<'_>>, Option<&str>> = HashMap::new();
        for path in self.come.values().copied().flatten() {
            let one = known.entry(ids(after.get(path)));
            one.and_modify(|path| *path = None).or_insert(Some(path));
        }
        for old in &self.gone {
            let ids = ids(before.get(*old));
            if let (false, Some(Some(new))) = (ids.is_empty(), known.remove(&ids)) {
                found.push(PathMove {
                    old: (*old).to_owned(),
                    new: new.to_owned(),
                    prefix: None,
                    is_certain: false,
                });
            }
        }
    }
}

/// Method and id of an operation.
type Id<'d> = (&'static str, &'d str);

/// Returns the operations of a path item that have an id.
fn ids(item: Option<&Value>) -> BTreeSet<Id<'_>> {
    let all = METHODS.iter().filter_map(|method| {
        let id = item?.get(method)?.get("operationId")?.as_str()?;
        Some((*method, id))
    });
    all.collect()
}
