//! Paths and webhooks: matches the operations of the two documents.

use std::collections::{HashMap, HashSet};

use openapi_document::resolver::REFERRING;
use openapi_schemas::{Called, METHODS, OTHERS};
use serde_json::Value;

use super::documents::Documents;
use super::headers::headers;
use super::operation::operations_of;
use super::scope::{Item, Scope};
use super::template::{names, shape};
use crate::verdicts::{Mark, rules, way};
use openapi_schemas::reading::Found;

/// Starts a comparison of two documents.
pub(crate) fn documents<'d>(old: &'d Value, new: &'d Value) -> Documents<'d> {
    Documents::new(old, new, headers)
}

/// Compares all operations of the two documents.
pub(crate) fn operations<'d>(documents: &mut Documents<'d>) {
    let (old, new) = (documents.schemas.old.root, documents.schemas.new.root);
    for (keyword, called) in [("paths", true), ("webhooks", false)] {
        let a = old
            .get(keyword)
            .and_then(|map| documents.schemas.old.object(map));
        let b = new
            .get(keyword)
            .and_then(|map| documents.schemas.new.object(map));
        paths(documents, (a, b), called);
    }
}

/// Compares `paths`, or `webhooks`, which the client does not call.
fn paths<'d>(
    documents: &mut Documents<'d>,
    maps: (Option<&'d Value>, Option<&'d Value>),
    called: bool,
) {
    let entries = |map: Option<&'d Value>| {
        let map = map.and_then(Value::as_object);
        map.into_iter()
            .flatten()
            .filter(|(name, _)| !name.starts_with("x-"))
            .collect::<Vec<_>>()
    };
    let (before, after) = (entries(maps.0), entries(maps.1));
    let exact: HashMap<&str, &'d Value> = before
        .iter()
        .map(|(path, item)| (path.as_str(), *item))
        .collect();
    let kept: HashSet<&str> = after.iter().map(|(path, _)| path.as_str()).collect();
    let mut shapes: HashMap<String, (&'d str, &'d Value)> = HashMap::new();
    for (path, item) in before
        .iter()
        .filter(|(path, _)| called && !kept.contains(path.as_str()))
    {
        shapes.entry(shape(path)).or_insert((path, item));
    }
    let mut matched: HashSet<&str> = HashSet::new();
    for (path, item) in &after {
        let mut is_moved = false;
        let found = match exact.get(path.as_str()) {
            Some(other) => Some((path.as_str(), *other)),
            None if called => {
                let moved = documents.moved.get(path.as_str());
                let moved = moved.and_then(|other| exact.get_key_value(*other));
                match moved {
                    Some((other, value)) => {
                        is_moved = true;
                        Some((*other, *value))
                    }
                    None => shapes.remove(&shape(path)),
                }
            }
            None => None,
        };
        let a = found.map(|(other, value)| given(other, value, is_moved));
        let b = given(path, item, is_moved);
        if let Some((other, _)) = found {
            matched.insert(other);
            if called {
                documents.matched.entry(other).or_default().push(path);
            }
        }
        path_item(documents, a, Some(b), path, called);
    }
    for (path, item) in before
        .iter()
        .filter(|(path, _)| !matched.contains(path.as_str()))
    {
        path_item(
            documents,
            Some(given(path, item, false)),
            None,
            path,
            called,
        );
    }
    if let (Some(a), Some(b)) = maps {
        documents.leftovers_unless(&[], 0, (a, b), &|name| !name.starts_with("x-"));
    }
}

fn given<'d>(path: &'d str, value: &'d Value, is_moved: bool) -> Item<'d> {
    Item {
        value,
        names: names(path),
        is_moved,
    }
}

/// Compares a path of either document or both.
fn path_item<'d>(
    documents: &mut Documents<'d>,
    old: Option<Item<'d>>,
    new: Option<Item<'d>>,
    path: &str,
    called: bool,
) {
    if let (Some(a), Some(b)) = (&old, &new) {
        documents.met(a.value, b.value);
    }
    let Some((a, b)) = resolved(documents, old.as_ref(), new.as_ref(), path) else {
        return;
    };
    let webhook = if called { "" } else { "webhook " };
    let mut operations = Vec::new();
    let (request, response) = if called {
        (way::SENT, way::RECEIVED)
    } else {
        (way::RECEIVED, way::SENT)
    };
    let before: Vec<Called<'d>> = a.into_iter().flat_map(openapi_schemas::called).collect();
    let after: Vec<Called<'d>> = b.into_iter().flat_map(openapi_schemas::called).collect();
    for method in methods(&before, &after) {
        let of_method = |all: &[Called<'d>]| {
            let found = all.iter().find(|one| one.method == method);
            found.map(|one| one.value)
        };
        let both = (of_method(&before), of_method(&after));
        let operation = documents.operation(format!("{method} {webhook}{path}"));
        operations.push(operation);
        let scope = Scope {
            operation,
            request,
            response,
        };
        match both {
            (Some(x), Some(y)) => {
                // OpenAPI allows no references here, but many documents have them.
                if let Some((x, y)) = documents.objects_of(scope, way::BOTH, x, y)
                    && let (Some(old), Some(new)) = (of(&old, a), of(&new, b))
                {
                    operations_of(documents, scope, (&old, x), (&new, y));
                }
            }
            (Some(x), None) => documents.gone(scope.both(), &rules::OPERATION_REMOVED, x, || {
                "the operation is gone".to_owned()
            }),
            (None, Some(y)) => documents.come(scope.both(), &rules::OPERATION_ADDED, y, || {
                "the operation is new".to_owned()
            }),
            (None, None) => {}
        }
    }
    if operations.is_empty() && (old.is_none() || new.is_none()) {
        let rule = match new {
            Some(_) => &rules::COMPONENT_ADDED,
            None => &rules::COMPONENT_REMOVED,
        };
        let what = || "a path without operations".to_owned();
        let graph = &mut documents.schemas.graph;
        graph.delta(rule, mark(old.as_ref()), mark(new.as_ref()), way::ALL, what);
    }
    if let (Some(a), Some(b)) = (a, b) {
        let mut known: Vec<&str> = METHODS.to_vec();
        known.extend(["parameters", "servers", OTHERS]);
        known.extend(REFERRING);
        documents.leftovers(&operations, way::BOTH, (a, b), &known);
    }
}

/// Returns the methods of both documents in the order of their reports.
fn methods<'c>(before: &'c [Called<'_>], after: &'c [Called<'_>]) -> Vec<&'c str> {
    let is_new = |one: &&Called<'_>| before.iter().all(|other| other.method != one.method);
    let all = before.iter().chain(after.iter().filter(is_new));
    let mut methods: Vec<&str> = all.map(|one| one.method.as_str()).collect();
    methods.sort_by_key(|method| {
        let known = METHODS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(method));
        known.unwrap_or(METHODS.len())
    });
    methods
}

/// Resolves two path items; `None` if one of them cannot be resolved, which is recorded.
fn resolved<'d>(
    documents: &mut Documents<'d>,
    old: Option<&Item<'d>>,
    new: Option<&Item<'d>>,
    path: &str,
) -> Option<(Option<&'d Value>, Option<&'d Value>)> {
    let before = old.map(|item| documents.schemas.old.resolve(item.value));
    let after = new.map(|item| documents.schemas.new.resolve(item.value));
    let rule = match (before, after) {
        (Some(Found::Nothing(x)), Some(Found::Nothing(y))) if x == y => {
            let label = documents.operation(format!("{path} (path)"));
            documents.unknown(label, way::BOTH, old?.value, new?.value);
            return None;
        }
        (Some(_), Some(Found::Nothing(_))) => &rules::REFERENCE_BROKEN,
        (Some(Found::Nothing(_)), Some(_)) => &rules::REFERENCE_MENDED,
        (a, b) => return Some((value(a), value(b))),
    };
    let label = documents.operation(format!("{path} (path)"));
    documents.note((label, way::BOTH), rule, mark(old), mark(new), || {
        "the path item is a reference that leads nowhere".to_owned()
    });
    None
}

/// Returns the item with this value, which its reference leads to.
fn of<'d>(item: &Option<Item<'d>>, value: Option<&'d Value>) -> Option<Item<'d>> {
    let item = item.as_ref()?;
    Some(Item {
        value: value?,
        names: item.names.clone(),
        is_moved: item.is_moved,
    })
}

fn mark<'d>(item: Option<&Item<'d>>) -> Mark<'d> {
    item.map_or(Mark::NONE, |item| Mark::at(item.value))
}

fn value(found: Option<Found<'_>>) -> Option<&Value> {
    match found {
        Some(Found::Value(value)) => Some(value),
        _ => None,
    }
}
