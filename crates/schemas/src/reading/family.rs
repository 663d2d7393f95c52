//! The component schemas that are a schema and more: their `allOf` leads to it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::document::component_schemas;
use openapi_document::json::elements_of;
use openapi_document::keywords::is_silent;
use openapi_document::resolver::{Resolver, reference};
use serde_json::Value;

/// Component schemas by the schemas that are parts of them.
pub(super) struct Family<'d> {
    /// Direct children, by the address of their parent.
    children: HashMap<*const Value, Vec<&'d Value>>,
    /// Addresses of the parents, by that of their child.
    parents: HashMap<*const Value, HashSet<*const Value>>,
}

impl<'d> Family<'d> {
    /// Reads the `allOf` of all component schemas.
    pub(super) fn read(root: &'d Value, resolver: &Resolver<'d>) -> Self {
        let mut family = Self {
            children: HashMap::new(),
            parents: HashMap::new(),
        };
        let schemas = component_schemas(root).map(|(_, schema)| schema);
        for schema in schemas.filter(|schema| !is_wrapper(schema)) {
            let parents = parents(schema, resolver);
            for parent in &parents {
                family.children.entry(*parent).or_default().push(schema);
            }
            family.parents.insert(std::ptr::from_ref(schema), parents);
        }
        family
    }

    /// Returns whether a schema has another one among its parts, directly or not.
    pub(super) fn is_descendant(&self, schema: &Value, ancestor: &Value) -> bool {
        if std::ptr::eq(schema, ancestor) {
            return false;
        }
        let mut seen = HashSet::new();
        let mut waiting = vec![std::ptr::from_ref(schema)];
        while let Some(child) = waiting.pop() {
            let parents = self.parents.get(&child);
            if parents.is_some_and(|all| all.contains(&std::ptr::from_ref(ancestor))) {
                return true;
            }
            let new = parents.into_iter().flatten().copied();
            waiting.extend(new.filter(|parent| seen.insert(*parent)));
        }
        false
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
    let mut waiting: Vec<&'d Value> = elements_of(schema, "allOf").iter().collect();
    while let Some(part) = waiting.pop() {
        let Some(text) = reference(part) else {
            waiting.extend(elements_of(part, "allOf"));
            continue;
        };
        let Some(target) = resolver.target(text) else {
            continue;
        };
        // The name of another component, or a wrapper of it, is that component.
        if parents.insert(std::ptr::from_ref(target.value)) {
            if reference(target.value).is_some() {
                waiting.push(target.value);
            } else if is_wrapper(target.value) {
                waiting.extend(elements_of(target.value, "allOf"));
            }
        }
    }
    parents
}

/// Returns whether a schema is one part of an `allOf`, perhaps with null and documentation: it is that part, and no child of it.
pub(super) fn is_wrapper(schema: &Value) -> bool {
    let map = schema.as_object();
    let map = map.filter(|_| elements_of(schema, "allOf").len() == 1);
    map.is_some_and(|map| {
        let mut keys = map.keys();
        keys.all(|key| key == "allOf" || key == "nullable" || is_silent(key))
    })
}
