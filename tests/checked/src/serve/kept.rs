//! Resources that callers have created, changed and deleted, each by the decoded path of its requests.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The resources that differ from the documented examples.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    resources: BTreeMap<String, Value>,
    deleted: BTreeSet<String>,
    /// The number of the next resource.
    created: u32,
}

/// Names of the member that identifies a resource, in the order of preference.
const IDS: [&str; 4] = ["id", "uuid", "key", "name"];

impl Kept {
    /// Creates a resource below a path: the value of the document with the members of the request, and an id of its own.
    pub(crate) fn create(&mut self, path: &str, documented: Value, request: &Value) -> Value {
        let mut resource = changed(documented, request);
        let Some(members) = resource.as_object_mut() else {
            return resource;
        };
        let Some(id) = IDS.into_iter().find(|id| members.contains_key(*id)) else {
            return resource;
        };
        if request.get(id).is_none() {
            self.created += 1;
            let fresh = match members.get(id) {
                Some(Value::Number(_)) => json!(1_000_000 + self.created),
                Some(Value::String(text)) if text.len() == 36 && text.matches('-').count() == 4 => {
                    json!(format!("00000000-0000-4000-8000-{:012}", self.created))
                }
                _ => json!(format!("made-{}", self.created)),
            };
            members.insert(id.to_owned(), fresh);
        }
        let named = members.get(id).map(plain).unwrap_or_default();
        self.keep(
            &format!("{}/{named}", path.trim_end_matches('/')),
            &resource,
        );
        resource
    }

    /// Changes a resource, and returns it.
    pub(crate) fn change(&mut self, path: &str, documented: Value, request: &Value) -> Value {
        let known = self.resources.get(path).cloned();
        let resource = changed(known.unwrap_or(documented), request);
        self.keep(path, &resource);
        resource
    }

    fn keep(&mut self, path: &str, resource: &Value) {
        self.deleted.remove(path);
        self.resources.insert(path.to_owned(), resource.clone());
    }

    /// Deletes a resource.
    pub(crate) fn delete(&mut self, path: &str) {
        self.resources.remove(path);
        self.deleted.insert(path.to_owned());
    }

    /// Returns whether a resource, or one that it is below, was deleted.
    pub(crate) fn is_deleted(&self, path: &str) -> bool {
        let mut above = self.deleted.iter();
        above.any(|deleted| {
            let rest = path.strip_prefix(deleted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Returns what a request for a path reads: the resource, or the documented value, in whose list those below the path are. The list has a
    /// location if the document says it.
    pub(crate) fn read(&self, path: &str, mut documented: Value, at: Option<&str>) -> Value {
        if let Some(resource) = self.resources.get(path) {
            return resource.clone();
        }
        let below = format!("{}/", path.trim_end_matches('/'));
        let list = match at {
            Some(at) => documented.pointer_mut(at).and_then(Value::as_array_mut),
            None => only_list(&mut documented),
        };
        if let Some(list) = list {
            list.retain(|one| {
                let id = IDS.into_iter().find_map(|id| one.get(id));
                id.is_none_or(|id| !self.deleted.contains(&format!("{below}{}", plain(id))))
            });
            let resources = self.resources.iter();
            let own = resources
                .filter(|(at, _)| at.strip_prefix(&below).is_some_and(|id| !id.contains('/')));
            list.extend(own.map(|(_, resource)| resource.clone()));
        }
        documented
    }
}

/// Returns the one list of a body: the body itself, or the only array among its members.
fn only_list(body: &mut Value) -> Option<&mut Vec<Value>> {
    match body {
        Value::Array(list) => Some(list),
        Value::Object(members) => {
            let mut lists = members.values_mut().filter_map(Value::as_array_mut);
            let first = lists.next();
            first.filter(|_| lists.next().is_none())
        }
        _ => None,
    }
}

/// Returns a value with the members of a request.
fn changed(value: Value, request: &Value) -> Value {
    match (value, request) {
        (Value::Object(mut members), Value::Object(request)) => {
            let request: Map<String, Value> = request.clone();
            members.extend(request);
            Value::Object(members)
        }
        (value, _) => value,
    }
}

/// Returns a scalar as a segment of a path.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
