//! Paths and webhooks: matches the operations of the two documents.

use std::collections::{HashMap, HashSet};

use openapi_document::resolver::REFERRING;
use openapi_schemas::{Called, METHODS, OTHERS, called, placeholders};
use serde_json::Value;

use super::documents::Documents;
use super::headers::headers;
use super::operation::operations_of;
use super::scope::{Item, Scope};
use super::template::shape;
use crate::verdicts::{Both, Keyword, Mark, Marks, rules, way};
use openapi_schemas::reading::Found;

/// Starts a comparison of two documents.
pub(crate) fn documents<'d>(old: &'d Value, new: &'d Value) -> Documents<'d> {
    Documents::new(old, new, headers)
}

/// Compares all operations of the two documents.
pub(crate) fn operations(documents: &mut Documents<'_>) {
    let roots = documents.roots();
    for (name, is_called) in [("paths", true), ("webhooks", false)] {
        let mut maps = roots.keyword(name);
        let schemas = &mut documents.schemas;
        maps.old = maps.old.and_then(|map| schemas.old.object(map));
        maps.new = maps.new.and_then(|map| schemas.new.object(map));
        paths(documents, maps, is_called);
    }
}

/// A path of a document.
#[derive(Clone, Copy)]
struct Path<'d> {
    template: &'d str,
    value: &'d Value,
}

impl<'d> Path<'d> {
    /// Returns the paths of a map, in its order.
    fn all(map: Option<&'d Value>) -> Vec<Self> {
        let entries = map.and_then(Value::as_object).into_iter().flatten();
        let paths = entries.filter(|(template, _)| !template.starts_with("x-"));
        paths
            .map(|(template, value)| Self { template, value })
            .collect()
    }

    fn item(self, is_moved: bool) -> Item<'d> {
        Item {
            value: self.value,
            names: placeholders(self.template).collect(),
            is_moved,
        }
    }
}

/// Compares `paths`, or `webhooks`, which the client does not call.
fn paths<'d>(documents: &mut Documents<'d>, maps: Keyword<'_, 'd>, is_called: bool) {
    let (before, after) = (Path::all(maps.old), Path::all(maps.new));
    let exact: HashMap<&str, Path<'d>> = before.iter().map(|path| (path.template, *path)).collect();
    let kept: HashSet<&str> = after.iter().map(|path| path.template).collect();
    let mut shapes: HashMap<String, Path<'d>> = HashMap::new();
    for path in before.iter().filter(|path| !kept.contains(path.template)) {
        shapes.entry(shape(path.template)).or_insert(*path);
    }
    let mut matched: HashSet<&str> = HashSet::new();
    let mut alone = Alone::default();
    for path in &after {
        let own = exact.get(path.template).copied();
        let mut moved = None;
        if own.is_none() && is_called {
            let old = documents.moved.get(path.template);
            moved = old.and_then(|old| exact.get(old)).copied();
        }
        let found = match own.or(moved) {
            None if is_called => shapes.remove(&shape(path.template)),
            found => found,
        };
        if let Some(old) = found {
            matched.insert(old.template);
        }
        let items = Items {
            old: found.map(|old| old.item(moved.is_some())),
            new: Some(path.item(moved.is_some())),
        };
        path_item(documents, path.template, &items, is_called, &mut alone);
    }
    for path in before
        .iter()
        .filter(|path| !matched.contains(path.template))
    {
        let items = Items {
            old: Some(path.item(false)),
            new: None,
        };
        path_item(documents, path.template, &items, is_called, &mut alone);
    }
    alone.compare(documents);
    if let Some(maps) = maps.both() {
        documents.leftovers_of(&[], 0, maps, |name| !name.starts_with("x-"));
    }
}

/// A path item of either document or both.
struct Items<'d> {
    old: Option<Item<'d>>,
    new: Option<Item<'d>>,
}

impl<'d> Items<'d> {
    fn both(&self) -> Option<Both<'d>> {
        let (old, new) = (self.old.as_ref()?.value, self.new.as_ref()?.value);
        Some(Both { old, new })
    }

    fn marks(&self) -> Marks<'d> {
        Marks::new(mark(self.old.as_ref()), mark(self.new.as_ref()))
    }

    /// Follows references in place of the path items; `None` if one of them cannot be resolved, which is recorded.
    fn resolved(&self, documents: &mut Documents<'d>, path: &str) -> Option<Self> {
        let schemas = &mut documents.schemas;
        let old = (self.old.as_ref()).map(|item| schemas.old.resolve(item.value));
        let new = (self.new.as_ref()).map(|item| schemas.new.resolve(item.value));
        let rule = match (old, new) {
            (Some(Found::Nothing(x)), Some(Found::Nothing(y))) if x == y => None,
            (Some(_), Some(Found::Nothing(_))) => Some(&rules::REFERENCE_BROKEN),
            (Some(Found::Nothing(_)), Some(_)) => Some(&rules::REFERENCE_MENDED),
            _ => {
                return Some(Self {
                    old: at(self.old.as_ref(), old),
                    new: at(self.new.as_ref(), new),
                });
            }
        };
        let label = documents.operation(format!("{path} (path)"));
        let scope = Scope::new(label, true);
        match rule {
            Some(rule) => documents.note(scope, rule, self.marks(), || {
                "the path item is a reference that leads nowhere".to_owned()
            }),
            None => documents.unknown(scope, self.both()?),
        }
        None
    }
}

fn mark<'d>(item: Option<&Item<'d>>) -> Mark<'d> {
    item.map_or(Mark::NONE, |item| Mark::at(item.value))
}

/// Returns a path item with the value that its reference leads to.
fn at<'d>(item: Option<&Item<'d>>, found: Option<Found<'d>>) -> Option<Item<'d>> {
    match found {
        Some(Found::Value(value)) => Some(Item {
            value,
            ..item?.clone()
        }),
        _ => None,
    }
}

/// Operations that their path lacks in the other document.
#[derive(Default)]
struct Alone<'d> {
    gone: Vec<One<'d>>,
    come: Vec<One<'d>>,
}

/// An operation of one document.
struct One<'d> {
    method: String,
    shape: String,
    scope: Scope,
    item: Item<'d>,
    value: &'d Value,
}

impl<'d> Alone<'d> {
    /// Compares operations of paths that differ in the names of their parameters, and records the others as gone and new.
    fn compare(mut self, documents: &mut Documents<'d>) {
        for old in self.gone {
            let mut come = self.come.iter();
            let found = come.position(|new| new.method == old.method && new.shape == old.shape);
            let new = found.map(|found| self.come.remove(found));
            operation(documents, Some(old), new);
        }
        for new in self.come {
            operation(documents, None, Some(new));
        }
    }
}

/// Compares an operation of either document or both.
fn operation<'d>(documents: &mut Documents<'d>, old: Option<One<'d>>, new: Option<One<'d>>) {
    let Some(scope) = new.as_ref().or(old.as_ref()).map(|one| one.scope) else {
        return;
    };
    let member = Keyword {
        name: "",
        home: documents.roots(),
        old: old.as_ref().map(|one| one.value),
        new: new.as_ref().map(|one| one.value),
    };
    let rules = [&rules::OPERATION_REMOVED, &rules::OPERATION_ADDED];
    let sentences = ["gone", "new"].map(|state| format!("the operation is {state}"));
    // OpenAPI allows no references here, but many documents have them.
    if let Some(both) = documents.in_both(scope, member, rules, sentences)
        && let Some(both) = documents.objects_of(scope, both)
        && let (Some(old), Some(new)) = (old, new)
    {
        let (old, new) = (old.item.with(both.old), new.item.with(both.new));
        operations_of(documents, scope, old, new);
    }
}

/// Compares a path of either document or both.
fn path_item<'d>(
    documents: &mut Documents<'d>,
    path: &str,
    items: &Items<'d>,
    is_called: bool,
    alone: &mut Alone<'d>,
) {
    if let Some(both) = items.both() {
        documents.met(both);
    }
    let Some(found) = items.resolved(documents, path) else {
        return;
    };
    let webhook = if is_called { "" } else { "webhook " };
    let [before, after] = [&found.old, &found.new].map(|item| -> Vec<Called<'d>> {
        let all = item.iter().flat_map(|item| called(item.value));
        all.collect()
    });
    let mut operations = Vec::new();
    for method in methods(&before, &after) {
        let number = documents.operation(format!("{method} {webhook}{path}"));
        operations.push(number);
        let scope = Scope::new(number, is_called);
        let one = |item: &Option<Item<'d>>, value: Option<&'d Value>| {
            Some(One {
                method: method.to_owned(),
                shape: shape(path),
                scope,
                item: item.clone()?,
                value: value?,
            })
        };
        let old = one(&found.old, of_method(&before, method));
        let new = one(&found.new, of_method(&after, method));
        match (old, new) {
            (Some(old), None) => alone.gone.push(old),
            (None, Some(new)) => alone.come.push(new),
            (old, new) => operation(documents, old, new),
        }
    }
    if operations.is_empty() && items.both().is_none() {
        let rule = match items.new {
            Some(_) => &rules::COMPONENT_ADDED,
            None => &rules::COMPONENT_REMOVED,
        };
        documents.aside(rule, items.marks(), || {
            "a path without operations".to_owned()
        });
    }
    if let Some(found) = found.both() {
        let mut known: Vec<&str> = METHODS.to_vec();
        known.extend(["parameters", "servers", OTHERS]);
        known.extend(REFERRING);
        documents.leftovers_of(&operations, way::BOTH, found, |name| known.contains(&name));
    }
}

fn of_method<'d>(operations: &[Called<'d>], method: &str) -> Option<&'d Value> {
    let found = operations.iter().find(|one| one.method == method);
    found.map(|one| one.value)
}

/// Returns the methods of both documents in the order of their reports.
fn methods<'c>(before: &'c [Called<'_>], after: &'c [Called<'_>]) -> Vec<&'c str> {
    let after = after.iter().map(|one| one.method.as_str());
    let new = after.filter(|method| of_method(before, method).is_none());
    let old = before.iter().map(|one| one.method.as_str());
    let mut methods: Vec<&str> = old.chain(new).collect();
    methods.sort_by_key(|method| {
        let known = METHODS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(method));
        known.unwrap_or(METHODS.len())
    });
    methods
}
