//! Which schemas are one type, however each is written.

use openapi_document::keywords::Role::{Annotation, Direction, Words};
use openapi_document::keywords::has_role;
use openapi_schemas::reading::{Document, is_same};
use serde_json::Value;

use super::type_name::{CHOSEN, TYPE_NAME};

/// Returns whether a keyword is about the place that a schema is written out at. Aliases of enum values are about their type.
pub(super) fn is_of_place(key: &str, value: &Value) -> bool {
    ["x-rust-name", CHOSEN, TYPE_NAME].contains(&key)
        || key == "x-aliases" && !value.is_object()
        || has_role(key, &[Words, Annotation, Direction])
}

/// Returns whether two schemas of a document differ only in the keywords about their places.
pub fn says_the_same(root: &Value, one: &Value, other: &Value) -> bool {
    is_same(&mut Document::new(root), one, other, is_of_place)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::says_the_same;

    #[test]
    fn the_same_is_written_in_many_ways() {
        let root = json!({"components": {"schemas": {"Code": {"type": "string"}, "Kind": {"enum": ["a"]}}}});
        let one = json!({
            "type": "object", "required": ["code", "label"],
            "properties": {"code": {"type": "string"}, "label": {"type": "string", "description": "Its label."}}
        });
        let code = json!({"$ref": "#/components/schemas/Code"});
        let label = json!({"type": "string", "description": "Its label."});
        for (other, expected) in [
            (
                json!({"type": "object", "description": "A pair.", "required": ["label", "code"], "allOf": [
                    {"properties": {"code": {"type": "string"}}}, {"properties": {"label": label}}
                ]}),
                true,
            ),
            (
                json!({"allOf": [one], "title": "Pair", "x-rust-type-name": "Pair"}),
                true,
            ),
            (
                json!({"type": "object", "allOf": [{"required": ["code"]}, {"required": ["label"]}],
                    "properties": {"code": code, "label": {"anyOf": [label]}}}),
                true,
            ),
            (
                json!({"type": "object", "required": ["code"], "properties": {"code": code, "label": label}}),
                false,
            ),
            (
                json!({"type": "object", "required": ["code", "label"],
                    "properties": {"code": {"$ref": "#/components/schemas/Kind"}, "label": label}}),
                false,
            ),
            (
                json!({"allOf": [one, {"properties": {"title": {"type": "string"}}}, {"properties": {"title": {"type": "integer"}}}]}),
                false,
            ),
            (
                json!({"allOf": [one, {"properties": {"code": {"type": "integer"}}}]}),
                false,
            ),
            (
                json!({"type": "object", "required": ["code", "label"],
                    "properties": {"code": {"anyOf": [code, {"type": "integer"}]}, "label": label}}),
                false,
            ),
        ] {
            assert_eq!(says_the_same(&root, &one, &other), expected, "{other}");
            assert_eq!(says_the_same(&root, &other, &one), expected, "{other}");
        }
        let (one, other) = (json!({"$ref": "#/lost/a"}), json!({"$ref": "#/lost/b"}));
        assert!(!says_the_same(&root, &one, &other));
    }

    fn def(name: &str) -> Value {
        json!({"$ref": format!("#/x-defs/{name}")})
    }

    fn both(one: &str, other: &str) -> Value {
        json!({"allOf": [def(one), def(other)]})
    }

    #[test]
    fn pairs_of_other_parts_are_other_pairs() {
        let root = json!({"x-defs": {
            "D1": {"type": "object", "properties": {"p": {"type": "string", "maxLength": 5}}},
            "D2": {"properties": {"p": {"type": "string", "minLength": 2}}},
            "D3": {"type": "object", "properties": {"p": {"type": "string", "minLength": 2, "maxLength": 5}}},
        }});
        let one = json!({"type": "object", "properties": {"a": both("D1", "D2"), "b": def("D1")}});
        let other =
            json!({"type": "object", "properties": {"a": def("D3"), "b": both("D2", "D3")}});
        assert!(!says_the_same(&root, &one, &other));
    }

    /// The members of the first schema of a chain are any set of its schemas.
    fn chain(name: &str, length: usize) -> Vec<(String, Value)> {
        let schemas = (0..length).map(|number| {
            let next = def(&format!("{name}{}", (number + 1) % length));
            let first = def(&format!("{name}0"));
            let schema = match number {
                0 => json!({"allOf": [
                    {"type": "object", "properties": {"a": first, "b": first}}, {"properties": {"a": next}},
                ]}),
                _ => json!({"type": "object", "properties": {"a": next, "b": next}}),
            };
            (format!("{name}{number}"), schema)
        });
        schemas.collect()
    }

    #[test]
    fn what_is_too_much_to_compare_is_not_the_same() {
        for (length, expected) in [(3, true), (30, false)] {
            let defs = chain("x", length).into_iter().chain(chain("y", length));
            let root = json!({"x-defs": defs.collect::<serde_json::Map<_, _>>()});
            let one = json!({"type": "object", "properties": {"s": def("x0")}});
            let other = json!({"type": "object", "properties": {"s": def("y0")}});
            assert_eq!(says_the_same(&root, &one, &other), expected, "{length}");
        }
    }
}
