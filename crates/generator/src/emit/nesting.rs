//! How deep types are within each other. The compiler follows all of them, to prove that a call may be sent to another thread.

use std::collections::{HashMap, HashSet};

use openapi_model::Model;

/// Requirements that the compiler notes for one type within another: those of the option, the box, the list or the map around it. It stops at
/// 128 of them. Twice as many as it needs, because it may follow the types in another order.
const PER_TYPE: usize = 16;

/// Returns the limit that the compiler needs for the types of a model, if its own is too low.
pub(super) fn recursion_limit(model: &Model) -> Option<usize> {
    let needed = PER_TYPE * deepest(model);
    (needed > 128 + PER_TYPE * 4).then(|| needed.next_power_of_two())
}

/// A type whose parts are being followed.
struct Step<'m> {
    name: &'m str,
    parts: Vec<&'m str>,
    /// The most types that were found within each other below it.
    height: usize,
}

impl<'m> Step<'m> {
    fn new(model: &'m Model, name: &'m str) -> Self {
        let schema = model.schema(name);
        Self {
            name,
            parts: schema.map_or_else(Vec::new, |schema| schema.place.references()),
            height: 0,
        }
    }
}

/// Returns the most types within each other, each followed once, from a list rather than by recursion.
fn deepest(model: &Model) -> usize {
    let mut seen = HashSet::new();
    let mut heights: HashMap<&str, usize> = HashMap::new();
    for schema in &model.schemas {
        if !seen.insert(schema.name.as_str()) {
            continue;
        }
        let mut path = vec![Step::new(model, &schema.name)];
        while let Some(step) = path.last_mut() {
            if let Some(part) = step.parts.pop() {
                if seen.insert(part) {
                    path.push(Step::new(model, part));
                } else {
                    let below = heights.get(part).map_or(0, |height| height + 1);
                    step.height = step.height.max(below);
                }
                continue;
            }
            let (name, height) = (step.name, step.height);
            heights.insert(name, height);
            path.pop();
            if let Some(around) = path.last_mut() {
                around.height = around.height.max(height + 1);
            }
        }
    }
    heights.into_values().max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use openapi_document::source::Source;
    use openapi_model::read;
    use serde_json::{Map, Value, json};

    use super::*;

    /// Returns the limit for a chain of so many types, the last of which leads back to the first.
    fn limit(length: usize) -> Option<usize> {
        let refer = |index: usize| json!({"$ref": format!("#/components/schemas/S{index}")});
        let schema = |index: usize| {
            let properties = json!({"next": refer((index + 1) % length), "n": {"type": "integer"}});
            (
                format!("S{index}"),
                json!({"type": "object", "properties": properties}),
            )
        };
        let schemas: Map<String, Value> = (0..length).map(schema).collect();
        let content = json!({"application/json": {"schema": refer(0)}});
        let responses = json!({"200": {"description": "", "content": content}});
        let document = json!({
            "openapi": "3.0.3",
            "info": {"title": "A", "version": "1"},
            "paths": {"/a": {"get": {"operationId": "a", "responses": responses}}},
            "components": {"schemas": schemas},
        });
        let source = Source::parse("a.json", document.to_string()).unwrap();
        recursion_limit(&read(&source).unwrap())
    }

    #[test]
    fn only_types_deep_within_each_other_need_a_limit() {
        assert_eq!(limit(2), None);
        assert_eq!(limit(13), None);
        assert_eq!(limit(14), Some(256));
        assert_eq!(limit(5_000), Some(131_072));
    }
}
