//! Schemas that a document uses. One that only the old document uses is left over: what overrides say of it goes like what they say of an operation
//! that is gone.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::pointer;
use openapi_document::resolver::{Resolver, reference};
use serde_json::Value;

use crate::load::OverrideSet;

const SCHEMAS: &str = "/components/schemas";

/// Returns the new document without the schemas that only the old one uses. `old` is the old document after the overrides.
pub(super) fn without_left_over(old: &Value, new: &Value, set: &OverrideSet) -> Value {
    let mut used = new.clone();
    if let Some(Value::Object(schemas)) = used.pointer_mut(SCHEMAS) {
        let mut starts = vec![String::new()];
        for name in schemas.keys() {
            let at = pointer::join(SCHEMAS, name);
            let reference = format!("#{at}");
            let mut overrides = set.overrides.iter();
            if overrides.any(|one| one.source.text.contains(&reference)) {
                starts.push(at);
            }
        }
        let before = reached(old, vec![String::new()]);
        let now = reached(new, starts);
        schemas.retain(|name, _| {
            let at = pointer::join(SCHEMAS, name);
            now.contains(&at) || !before.contains(&at)
        });
    }
    used
}

/// Returns the pointers of the component schemas that these schemas lead to, possibly through others. The empty pointer is all that is outside of
/// them. A schema that extends a used one by `allOf` is used: a tag may choose it.
fn reached(document: &Value, starts: Vec<String>) -> BTreeSet<String> {
    let resolver = Resolver::new(document);
    let mut targets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    pointer::walk(document, "", &mut |at, value| {
        let target = match (reference(value), value.as_str()) {
            (Some(text), _) => resolver.target(text).map(|target| target.pointer),
            // A tag names a schema by a reference or by its name.
            (None, Some(name)) if at.contains("/discriminator/mapping/") => {
                let target = pointer::from_fragment(name).map(str::to_owned);
                Some(target.unwrap_or_else(|| pointer::join(SCHEMAS, name)))
            }
            (None, _) => None,
        };
        let Some(target) = target else {
            return;
        };
        let (owner, target) = (schema_of(at), schema_of(&target));
        if at.starts_with(&format!("{owner}/allOf/")) {
            let extending = targets.entry(target.clone()).or_default();
            extending.insert(owner.clone());
        }
        targets.entry(owner).or_default().insert(target);
    });
    let mut found: BTreeSet<String> = starts.iter().cloned().collect();
    let mut open = starts;
    while let Some(owner) = open.pop() {
        for target in targets.get(&owner).into_iter().flatten() {
            if found.insert(target.clone()) {
                open.push(target.clone());
            }
        }
    }
    found
}

/// Returns the pointer of the component schema that contains a location, or is it; empty outside of them.
fn schema_of(at: &str) -> String {
    let rest = at.strip_prefix(SCHEMAS).unwrap_or_default();
    match pointer::tokens(rest).next() {
        Some(name) => pointer::join(SCHEMAS, &name),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_used_if_an_operation_leads_to_it() {
        let refer = |name: &str| json!({"$ref": format!("#{SCHEMAS}/{name}")});
        let document = json!({
            "paths": {"/a": {"get": {"responses": {"200": refer("A")}}}},
            "components": {"schemas": {
                "A": {"properties": {"b": {"allOf": [refer("B")]}}, "discriminator": {"mapping": {"c": "C"}}},
                "B": {}, "C": {}, "Child": {"allOf": [refer("B")]},
                "Unused": {"properties": {"b": {"allOf": [refer("B")]}, "also": refer("AlsoUnused")}}, "AlsoUnused": refer("Unused"),
            }},
        });
        let mut found = reached(&document, vec![String::new()]);
        found.retain(|at| !at.is_empty());
        let used = ["A", "B", "C", "Child"].map(|name| pointer::join(SCHEMAS, name));
        assert_eq!(found, BTreeSet::from(used));
    }
}
