//! Compares two schemas by meaning, however each is written: parts of `allOf` apart or together, a scalar inline or as a component.

use openapi_document::keywords::Role::{Annotation, Direction, Null, Words};
use openapi_document::keywords::{COMPOSITIONS, has_role};
use openapi_document::resolver::{meant, target};
use serde_json::{Map, Value};

use super::type_name::{CHOSEN, TYPE_NAME};

/// Returns whether a keyword is about the place that a schema is written out at.
fn is_of_one_place(key: &str) -> bool {
    ["x-aliases", "x-rust-name", CHOSEN].contains(&key)
        || has_role(key, &[Words, Annotation, Direction, Null])
}

/// Returns whether two schemas of a document differ only in the keywords about their places.
pub fn says_the_same(root: &Value, one: &Value, other: &Value) -> bool {
    let meant = |schema: &Value| -> Option<Map<String, Value>> {
        let mut map = whole(root, schema.as_object()?);
        map.retain(|key, value| {
            let is_of_enum = key == "x-aliases" && value.is_object();
            key != TYPE_NAME && (is_of_enum || !is_of_one_place(key))
        });
        Some(map)
    };
    meant(one).is_some() && meant(one) == meant(other)
}

/// A schema in one piece, as far as its parts do not contradict each other.
fn whole(root: &Value, schema: &Map<String, Value>) -> Map<String, Value> {
    let mut map = schema.clone();
    for (key, value) in &mut map {
        match (key.as_str(), value) {
            ("properties", Value::Object(all)) => all.values_mut().for_each(|one| write(root, one)),
            ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => {
                all.iter_mut().for_each(|one| write(root, one));
            }
            ("items" | "additionalProperties", value) => write(root, value),
            ("required", Value::Array(names)) => {
                names.sort_by_key(Value::to_string);
            }
            _ => {}
        }
    }
    if let Some(scalar) = scalar(root, &map) {
        let mut written = map.clone();
        written.shift_remove("$ref");
        if put(&mut written, scalar) {
            map = written;
        }
    }
    for key in COMPOSITIONS {
        let Some(Value::Array(parts)) = map.get(key) else {
            continue;
        };
        let mut together = map.clone();
        together.shift_remove(key);
        let is_one = key == "allOf" || parts.len() == 1;
        let fits = |part: &Value| {
            part.as_object()
                .is_some_and(|part| put(&mut together, part))
        };
        if is_one && parts.iter().all(fits) {
            map = together;
        }
    }
    map
}

fn write(root: &Value, schema: &mut Value) {
    if let Value::Object(map) = schema {
        *map = whole(root, map);
    }
}

/// Adds the keywords of a part. Returns whether they are compatible.
fn put(map: &mut Map<String, Value>, part: &Map<String, Value>) -> bool {
    part.iter().all(|(key, value)| {
        let Some(there) = map.get_mut(key) else {
            map.insert(key.clone(), value.clone());
            return true;
        };
        match (key.as_str(), there, value) {
            ("properties", Value::Object(there), Value::Object(more)) => {
                more.iter().all(|(name, schema)| {
                    let there = there.entry(name.clone()).or_insert_with(|| schema.clone());
                    there == schema
                })
            }
            ("required", Value::Array(there), Value::Array(more)) => {
                let more = more.iter().filter(|name| !there.contains(name)).cloned();
                let more: Vec<Value> = more.collect();
                there.extend(more);
                there.sort_by_key(Value::to_string);
                true
            }
            (key, there, value) => there == value || is_of_one_place(key),
        }
    })
}

/// Returns the scalar that a schema refers to, which has no type.
fn scalar<'d>(root: &'d Value, schema: &Map<String, Value>) -> Option<&'d Map<String, Value>> {
    let first = target(root, schema.get("$ref")?.as_str()?)?;
    let scalar = meant(root, first.value)?.as_object()?;
    let kind = scalar.get("type")?.as_str()?;
    let is_scalar = ["string", "integer", "number", "boolean"].contains(&kind);
    (is_scalar && !scalar.contains_key("enum")).then_some(scalar)
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
    }
}
