//! Parents that list their children.

use serde_json::Value;

use crate::Document;

/// Writes a parent into the children that it lists, without the list: each would be all of them, and contain itself.
pub(crate) fn part_children(document: &mut Document) {
    let mut parents: Vec<(String, usize, Value)> = Vec::new();
    let schemas = document.0.pointer("/components/schemas");
    for (name, child) in schemas.and_then(Value::as_object).into_iter().flatten() {
        let parts = child.get("allOf").and_then(Value::as_array);
        for (index, part) in parts.into_iter().flatten().enumerate() {
            let parent = document.meant(part);
            let lists = ["oneOf", "anyOf"].map(|key| parent.get(key).and_then(Value::as_array));
            let mut listed = lists.into_iter().flatten().flatten();
            if listed.any(|one| std::ptr::eq(document.meant(one), child)) {
                parents.push((name.clone(), index, parent.clone()));
            }
        }
    }
    for (name, index, mut parent) in parents {
        for key in ["oneOf", "anyOf", "discriminator"] {
            parent.as_object_mut().and_then(|map| map.remove(key));
        }
        let schemas = document.0.pointer_mut("/components/schemas");
        let child = schemas.and_then(|schemas| schemas.get_mut(&name));
        let parts = child.and_then(|child| child.get_mut("allOf"));
        if let Some(part) = parts.and_then(|parts| parts.get_mut(index)) {
            *part = parent;
        }
    }
}
