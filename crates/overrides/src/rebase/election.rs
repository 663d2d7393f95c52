//! Elects the counterpart of each schema by the votes of the locations that refer to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use openapi_diff::Matched;
use openapi_document::pointer;
use openapi_schemas::reading::resolution_path;
use serde_json::Value;

use super::pointers::{component, is_operation};

/// Number of locations that refer to a schema of the old document and to one of the new document.
pub(super) type Votes = HashMap<String, BTreeMap<String, usize>>;

/// Locations as paired by the diff, and their votes.
pub(super) struct Met {
    /// Locations of the new document by those of the old one.
    pub(super) slots: HashMap<String, Vec<String>>,
    pub(super) votes: Votes,
}

impl Met {
    pub(super) fn of(old: &Value, new: &Value, matched: &Matched) -> Self {
        let mut votes = Votes::new();
        let mut slots: HashMap<String, Vec<String>> = HashMap::new();
        for (a, b) in &matched.places {
            let (before, after) = (resolution_path(old, a), resolution_path(new, b));
            let targets = slots.entry(a.clone()).or_default();
            // An alternative of a known counterpart: the schema became one of several.
            if !targets.iter().any(|known| is_alternative(b, known)) {
                targets.push(b.clone());
            }
            if let (Some(x), Some(y)) = (before.last(), after.last()) {
                let of_one = votes.entry(x.clone()).or_default();
                *of_one.entry(y.clone()).or_default() += 1;
            }
        }
        Self { slots, votes }
    }
}

/// Returns the reasons why locations of the new document at or below a pointer are only likely.
pub(super) fn doubts(matched: &Matched) -> HashMap<String, String> {
    let mut doubts = HashMap::new();
    for (a, b) in matched.alike.iter().filter(|(a, b)| named(a) != named(b)) {
        let reason = format!(
            "no operation uses {} in the old document; its form alone says that it is {}",
            show(a),
            show(b)
        );
        doubts.insert(b.clone(), reason);
    }
    for one in matched.moves.iter().filter(|one| !one.is_certain) {
        let reason = match &one.prefix {
            Some((from, to)) => {
                format!("not all paths below `{from}` are below `{to}` now")
            }
            None => "the only evidence is the ids of the operations".to_owned(),
        };
        doubts.insert(pointer::join("/paths", &one.new), reason);
    }
    doubts
}

/// Returns the elected counterparts of each schema: every inlined schema and, of the components, the one with the most votes, together with
/// those that have most of their votes from the same schema.
pub(super) fn elected(
    votes: &Votes,
    doubts: &mut HashMap<String, String>,
) -> HashMap<String, Vec<String>> {
    let mut voters: HashMap<&str, Vec<(&str, usize)>> = HashMap::new();
    for (a, all) in votes {
        for (b, count) in all {
            voters.entry(b).or_default().push((a, *count));
        }
    }
    let mut cores = HashMap::new();
    for (a, all) in votes {
        let all_named = all.iter().filter(|(b, _)| component(b).is_some());
        let best = favourite(a, all_named.map(|(b, count)| (b.as_str(), *count)));
        let total: usize = all.values().sum();
        let mut kept = Vec::new();
        for (b, count) in all {
            let voters = voters.get(b.as_str()).into_iter().flatten().copied();
            let is_kept = component(b).is_none()
                || component(a).is_none()
                || best.is_some_and(|(best, _)| best == b)
                || favourite(b, voters).is_some_and(|(most, _)| most == a);
            if is_kept {
                kept.push(b.clone());
            } else if let Some((best, most)) = best.filter(|(best, _)| named(best) != named(a)) {
                doubts.entry(best.to_owned()).or_insert_with(|| {
                    format!(
                        "{most} of {total} references to {} lead to {}, {count} to {}",
                        show(a),
                        show(best),
                        show(b)
                    )
                });
            }
        }
        cores.insert(a.clone(), kept);
    }
    cores
}

/// Returns the schema with the most votes for another one: if several have as many, that of the same name, or the first.
fn favourite<'v>(
    of: &str,
    votes: impl Iterator<Item = (&'v str, usize)>,
) -> Option<(&'v str, usize)> {
    votes.max_by_key(|(one, count)| {
        let is_same = named(one).is_some() && named(one) == named(of);
        (*count, is_same, Reverse(*one))
    })
}

fn named(at: &str) -> Option<String> {
    component(at).map(|(_, name)| name)
}

fn is_alternative(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer).unwrap_or_default();
    ["/oneOf/", "/anyOf/", "/allOf/"]
        .iter()
        .any(|list| rest.starts_with(list))
}

/// Returns a pointer as a person would name it: a component, an operation, or the pointer.
pub(super) fn show(at: &str) -> String {
    if let Some((_, name)) = component(at) {
        return format!("`{name}`");
    }
    let tokens: Vec<String> = pointer::tokens(at).collect();
    match tokens.as_slice() {
        [_, path, method] if is_operation(at) => format!("`{} {path}`", method.to_uppercase()),
        _ => format!("#{at}"),
    }
}
