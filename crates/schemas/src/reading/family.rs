//! The component schemas that are a schema and more: their `allOf` leads to it.

use std::collections::{HashMap, HashSet, VecDeque};

use openapi_document::resolver::{Resolver, reference};
use serde_json::Value;

/// Component schemas by the schemas that are parts of them.
pub(super) struct Family<'d> {
    /// Direct children, by the address of their parent.
    children: HashMap<*const Value, Vec<&'d Value>>,
}

impl<'d> Family<'d> {
    /// Reads the `allOf` of all component schemas.
    pub(super) fn read(root: &'d Value, resolver: &Resolver<'d>) -> Self {
        let mut children: HashMap<*const Value, Vec<&'d Value>> = HashMap::new();
        let schemas = root
            .get("components")
            .and_then(|all| all.get("schemas")?.as_object());
        for (_, schema) in schemas.into_iter().flatten() {
            for parent in parents(schema, resolver) {
                children.entry(parent).or_default().push(schema);
            }
        }
        Self { children }
    }

    /// Returns all schemas that have a schema among their parts, directly or not, the nearest first.
    pub(super) fn descendants(&self, schema: &Value) -> Vec<&'d Value> {
        let (mut found, mut seen) = (Vec::new(), HashSet::from([std::ptr::from_ref(schema)]));
        let mut waiting = VecDeque::from([std::ptr::from_ref(schema)]);
        while let Some(parent) = waiting.pop_front() {
            for child in self.children.get(&parent).into_iter().flatten() {
                let address = std::ptr::from_ref(*child);
                if seen.insert(address) {
                    found.push(*child);
                    waiting.push_back(address);
                }
            }
        }
        found
    }
}

/// Returns the addresses of the schemas that an `allOf` refers to, through references and lists in it.
fn parents<'d>(schema: &'d Value, resolver: &Resolver<'d>) -> HashSet<*const Value> {
    let mut parents = HashSet::new();
    let mut waiting = parts(schema);
    while let Some(part) = waiting.pop() {
        let Some(text) = reference(part) else {
            waiting.extend(parts(part));
            continue;
        };
        // The name of another component is that component.
        if let Some(target) = resolver.target(text)
            && parents.insert(std::ptr::from_ref(target.value))
            && reference(target.value).is_some()
        {
            waiting.push(target.value);
        }
    }
    parents
}

fn parts(schema: &Value) -> Vec<&Value> {
    let list = schema.get("allOf").and_then(Value::as_array);
    list.into_iter().flatten().collect()
}
