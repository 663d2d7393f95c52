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
    use serde_json::json;

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
        let lost = |name: &str| json!({"$ref": format!("#/lost/{name}")});
        assert!(!says_the_same(&root, &lost("a"), &lost("b")));
    }
}
