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
    /// True if a trailing slash was added or removed.
    pub slash: bool,
    /// Prefix before and after, if it changed.
    pub prefix: Option<(String, String)>,
    /// True if more than the ids of the operations supports the move, and nothing contradicts it.
    pub is_certain: bool,
}

/// Returns the paths that moved, in the order of the old document. A path in both documents did not move.
pub fn moves(old: &Value, new: &Value) -> Vec<PathMove> {
    let (before, after) = (paths(old), paths(new));
    let shapes = |map: &Map<String, Value>| -> HashSet<String> {
        map.keys().map(|path| shape(path)).collect()
    };
    let (old_shapes, new_shapes) = (shapes(before), shapes(after));
    let left = |map: &'_ Map<String, Value>, others: &HashSet<String>| -> Vec<String> {
        let keys = map.keys().filter(|path| path.starts_with('/'));
        keys.filter(|path| !others.contains(&shape(path)))
            .cloned()
            .collect()
    };
    let mut gone = left(before, &new_shapes);
    // Matched by shape without the slash. If two paths of one document share a shape, it is ambiguous.
    let mut come: BTreeMap<String, Option<String>> = BTreeMap::new();
    for path in left(after, &old_shapes) {
        let key = bare(&path);
        let value = (!come.contains_key(&key)).then_some(path);
        come.insert(key, value);
    }
    let mut found = Vec::new();
    take(&mut gone, &mut come, &mut found, None, true);
    while let Some(prefix) = best_prefix(&gone, &come) {
        let is_certain = is_certain(&prefix, &gone, &come, after);
        take(&mut gone, &mut come, &mut found, Some(&prefix), is_certain);
    }
    by_ids(&gone, &come, before, after, &mut found);
    let order: HashMap<&str, usize> = before.keys().map(String::as_str).zip(0..).collect();
    found.sort_by_key(|one| order.get(one.old.as_str()).copied());
    found
}

fn paths(document: &Value) -> &Map<String, Value> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    let paths = document.get("paths").and_then(Value::as_object);
    paths.unwrap_or(&EMPTY)
}

/// Returns a shape without a trailing slash.
fn bare(path: &str) -> String {
    shape(path.trim_end_matches('/'))
}

/// Pairs all paths that one change of prefix explains; without a prefix, those that differ by the slash.
fn take(
    gone: &mut Vec<String>,
    come: &mut BTreeMap<String, Option<String>>,
    found: &mut Vec<PathMove>,
    prefix: Option<&(String, String)>,
    is_certain: bool,
) {
    gone.retain(|old| {
        let Some(key) = substituted(&bare(old), prefix) else {
            return true;
        };
        let Some(Some(new)) = come.get(&key).cloned() else {
            return true;
        };
        come.remove(&key);
        found.push(PathMove {
            slash: old.ends_with('/') != new.ends_with('/'),
            old: old.clone(),
            new,
            prefix: prefix.cloned(),
            is_certain,
        });
        false
    });
}

fn substituted(key: &str, prefix: Option<&(String, String)>) -> Option<String> {
    let Some((old, new)) = prefix else {
        return Some(key.to_owned());
    };
    let rest = key.strip_prefix(old.as_str())?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("{new}{rest}"))
}

/// Returns the change of prefix that explains the most paths.
fn best_prefix(
    gone: &[String],
    come: &BTreeMap<String, Option<String>>,
) -> Option<(String, String)> {
    let mut by_end: HashMap<&str, Vec<&str>> = HashMap::new();
    for key in come
        .iter()
        .filter_map(|(key, path)| path.as_ref().map(|_| key))
    {
        let end = key.rsplit('/').next().unwrap_or_default();
        by_end.entry(end).or_default().push(key);
    }
    let mut guesses: BTreeSet<(String, String)> = BTreeSet::new();
    for old in gone.iter().take(GUESSES) {
        let old = bare(old);
        let end = old.rsplit('/').next().unwrap_or_default();
        for new in by_end
            .get(end)
            .into_iter()
            .flatten()
            .take(GUESSES * GUESSES)
        {
            let guess = pointer::prefixes(&old, new);
            let tail = new.get(guess.1.len()..).unwrap_or_default();
            // Parameters alone may end any path.
            if tail.split('/').any(|step| !step.is_empty() && step != "{}") {
                guesses.insert(guess);
            }
        }
    }
    let count = |guess: &(String, String)| {
        let keys = gone
            .iter()
            .filter_map(|old| substituted(&bare(old), Some(guess)));
        keys.filter(|key| matches!(come.get(key), Some(Some(_))))
            .count()
    };
    guesses
        .into_iter()
        .map(|guess| (count(&guess), guess))
        .filter(|(count, _)| *count > 0)
        .max_by(|(a, x), (b, y)| a.cmp(b).then_with(|| y.cmp(x)))
        .map(|(_, guess)| guess)
}

/// Returns whether a change of prefix explains every path with the old prefix, and the new document has none left with it.
fn is_certain(
    prefix: &(String, String),
    gone: &[String],
    come: &BTreeMap<String, Option<String>>,
    after: &Map<String, Value>,
) -> bool {
    let has_old = |path: &str| substituted(&bare(path), Some(&(prefix.0.clone(), String::new())));
    let all_follow = gone.iter().all(|old| {
        let key = substituted(&bare(old), Some(prefix));
        key.is_none_or(|key| matches!(come.get(&key), Some(Some(_))))
    });
    let extends = prefix.1.starts_with(&prefix.0);
    all_follow && (extends || !after.keys().any(|path| has_old(path).is_some()))
}

/// Pairs paths whose operations have the ids of exactly one new path.
fn by_ids(
    gone: &[String],
    come: &BTreeMap<String, Option<String>>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    found: &mut Vec<PathMove>,
) {
    let ids = |item: Option<&Value>| -> BTreeSet<(String, String)> {
        let of = |method: &str| {
            let id = item?.get(method)?.get("operationId")?.as_str()?;
            Some((method.to_owned(), id.to_owned()))
        };
        METHODS.iter().filter_map(|method| of(method)).collect()
    };
    let mut known: HashMap<BTreeSet<(String, String)>, Option<&String>> = HashMap::new();
    for path in come.values().flatten() {
        let ids = ids(after.get(path));
        let value = (!known.contains_key(&ids)).then_some(path);
        known.insert(ids, value);
    }
    for old in gone {
        let ids = ids(before.get(old));
        if let (false, Some(Some(new))) = (ids.is_empty(), known.remove(&ids)) {
            found.push(PathMove {
                old: old.clone(),
                new: new.clone(),
                slash: false,
                prefix: None,
                is_certain: false,
            });
        }
    }
}
