//! The document in one vocabulary, for tests: schemas as in OpenAPI 3.0, whatever the version of the document, and the location of the
//! schema of each type of the crate.
//!
//! JSON Pointers stay those of the document, except through alternatives that are removed.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

/// The generator's description of the crate.
const MANIFEST: &str = include_str!("../../../generated/manifest.yaml");
/// Marks a schema that lost its alternative of only the empty string, and still allows that string.
pub(crate) const BLANK: &str = "x-blank";
/// Keys whose values are not schemas.
const VALUES: [&str; 5] = ["default", "enum", "example", "examples", "const"];

static TYPES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let manifest: Value = serde_yaml::from_str(MANIFEST).unwrap_or_default();
    let types = manifest.get("types").cloned().unwrap_or_default();
    let types: BTreeMap<String, String> = serde_json::from_value(types).unwrap_or_default();
    let published = serde_yaml::from_str(company_intel::OPENAPI).unwrap_or_default();
    let places = types.into_iter();
    places
        .map(|(name, place)| (name, settled(&published, &place)))
        .collect()
});

/// Returns the pointer of a document's location in one vocabulary.
fn settled(root: &Value, at: &str) -> String {
    let is_listed = |one: &&Value| !is_null(root, one) && !is_blank(root, one);
    let (mut here, mut found) = (Some(root), String::new());
    let mut tokens = at.split('/').skip(1).peekable();
    while let Some(token) = tokens.next() {
        let name = token.replace("~1", "/").replace("~0", "~");
        let child = here.and_then(|value| match value {
            Value::Array(items) => items.get(name.parse::<usize>().ok()?),
            value => value.get(&name),
        });
        let index = tokens.peek().and_then(|next| next.parse::<usize>().ok());
        match (token, child, index) {
            ("anyOf" | "oneOf", Some(Value::Array(all)), Some(index)) => {
                tokens.next();
                let position = all.iter().take(index).filter(is_listed).count();
                found += &match all.iter().filter(is_listed).count() {
                    1 => "/allOf/0".to_owned(),
                    _ => format!("/{token}/{position}"),
                };
                here = all.get(index);
            }
            _ => {
                found += &format!("/{token}");
                here = child;
            }
        }
    }
    found
}

/// Returns the document of the crate in the vocabulary of [`normal`]; null if it is not valid YAML.
pub fn document() -> Value {
    normal(serde_yaml::from_str(company_intel::OPENAPI).unwrap_or_default())
}

/// Returns the JSON Pointer of the schema of a type of the crate. `None` for a type that the generator does not list.
pub fn place(of: &str) -> Option<&'static str> {
    TYPES.get(of).map(String::as_str)
}

/// Returns the type of a schema in the crate: by its JSON Pointer or, for a component, by its name.
pub fn type_of(document: &Value, schema: &str) -> Option<String> {
    let component = format!("/components/schemas/{schema}");
    let at = if schema.starts_with('/') {
        schema
    } else {
        &component
    };
    let mut types = TYPES.iter();
    let listed = types.find_map(|(name, place)| (place == at).then(|| name.clone()));
    // A type may have several locations, of which the generator lists one.
    listed.or_else(|| Some(name(document.pointer(at)?)?.to_owned()))
}

/// Returns the id that an override keeps for an operation, or the name that it gives its method.
pub(crate) fn method(operation: &Value) -> Option<&str> {
    let text = |key: &str| operation.get(key).and_then(Value::as_str);
    text("x-operation-id").or_else(|| text("x-rust-name"))
}

/// Returns the name that an override gives the type of a schema.
pub(crate) fn name(schema: &Value) -> Option<&str> {
    let name = |key: &str| schema.get(key).and_then(Value::as_str);
    name("x-rust-type-name").or_else(|| name("x-rust-name"))
}

/// Rewrites a document's schemas of OpenAPI 3.1 in the vocabulary of 3.0.
pub fn normal(document: Value) -> Value {
    let mut normal = document.clone();
    rewrite(&document, &mut normal, false);
    normal
}

/// Rewrites the schemas below a value. If `is_names`, the keys are names of the author rather than keywords.
fn rewrite(root: &Value, value: &mut Value, is_names: bool) {
    match value {
        Value::Array(items) => {
            let items = items.iter_mut();
            items.for_each(|item| rewrite(root, item, false));
        }
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                let is_value = VALUES.contains(&key.as_str()) || key.starts_with("x-");
                if is_names || !is_value {
                    rewrite(root, value, !is_names && key == "properties");
                }
            }
            if is_names {
                return;
            }
            aliases(object);
            let may_be_null = [types(object), choices(root, object), constants(object)];
            if may_be_null.contains(&true) {
                object.insert("nullable".to_owned(), true.into());
            }
        }
        _ => {}
    }
}

/// Merges the aliases of a property into one property, as in the crate. Alternatives that each require one of the names
/// require that property.
fn aliases(object: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    let named = properties.iter().filter_map(|(name, one)| {
        let others = one.get("x-aliases")?.as_array()?.iter();
        let others: Vec<String> = others
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        Some((name.clone(), others))
    });
    let named: Vec<(String, Vec<String>)> = named.collect();
    for other in named.iter().flat_map(|(_, others)| others) {
        properties.remove(other);
    }
    for (name, _) in named {
        let alternatives = object.get("anyOf").and_then(Value::as_array);
        let wanted = json!({"required": [name]});
        if alternatives.is_some_and(|all| all.contains(&wanted)) {
            object.remove("anyOf");
            let required = object.entry("required").or_insert_with(|| json!([]));
            if let Value::Array(required) = required {
                required.push(name.into());
            }
        }
    }
}

/// Rewrites `type: [string, 'null']`. Several other types are removed, because 3.0 has no such schema. Returns whether null was among them.
fn types(object: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(all)) = object.get("type") else {
        return false;
    };
    let others: Vec<Value> = all.iter().filter(|one| *one != "null").cloned().collect();
    let has_null = others.len() < all.len();
    match others.as_slice() {
        [only] => object.insert("type".to_owned(), only.clone()),
        _ => object.remove("type"),
    };
    has_null
}

/// Rewrites `anyOf` or `oneOf` with null, or with the placeholder of some tools for an omitted choice. A single remaining alternative
/// becomes an `allOf`. Returns whether null was among them.
fn choices(root: &Value, object: &mut Map<String, Value>) -> bool {
    let mut has_null = false;
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(all)) = object.get(key) else {
            continue;
        };
        let mut left = all.clone();
        has_null |= left.iter().any(|one| is_null(root, one));
        if left.iter().any(|one| is_blank(root, one)) {
            object.insert(BLANK.to_owned(), true.into());
        }
        left.retain(|one| !is_null(root, one) && !is_blank(root, one));
        match left.as_slice() {
            [_] => {
                object.remove(key);
                object.insert("allOf".to_owned(), left.into());
            }
            _ => drop(object.insert(key.to_owned(), left.into())),
        }
    }
    has_null
}

/// Rewrites null among enum values, and `const`. Returns whether null was among them.
fn constants(object: &mut Map<String, Value>) -> bool {
    if let Some(only) = object.get("const").filter(|one| one.get("type").is_none()) {
        let only = json!([only]);
        object.insert("enum".to_owned(), only);
        object.remove("const");
    }
    let Some(Value::Array(all)) = object.get_mut("enum") else {
        return false;
    };
    let count = all.len();
    all.retain(|one| !one.is_null());
    all.len() < count
}

fn is_null(root: &Value, schema: &Value) -> bool {
    let schema = target(root, schema).unwrap_or(schema);
    // Rewritten already: an enum of only null leaves an empty list.
    let is_written = schema.get("nullable") == Some(&true.into())
        && schema
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(Vec::is_empty);
    schema.get("type").is_some_and(|one| one == "null")
        || is_written
        || lists_only(schema, &Value::Null)
}

fn is_blank(root: &Value, schema: &Value) -> bool {
    target(root, schema).is_some_and(|schema| lists_only(schema, &"".into()))
}

fn lists_only(schema: &Value, value: &Value) -> bool {
    let listed = schema.get("enum").and_then(Value::as_array);
    listed.is_some_and(|all| !all.is_empty() && all.iter().all(|one| one == value))
}

/// Resolves a `$ref`, through a few others at most; `None` if it leads nowhere.
fn target<'a>(root: &'a Value, value: &'a Value) -> Option<&'a Value> {
    let mut value = value;
    for _ in 0..8 {
        let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
            return Some(value);
        };
        value = root.pointer(reference.strip_prefix('#')?)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_null_is_nullable() {
        for (schema, expected) in [
            (
                json!({"type": ["string", "null"], "enum": ["a", null]}),
                json!({"type": "string", "enum": ["a"], "nullable": true}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/a"}, {"type": "null"}]}),
                json!({"allOf": [{"$ref": "#/a"}], "nullable": true}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/a"}, {"type": "string", "nullable": true, "enum": [null]}]}),
                json!({"allOf": [{"$ref": "#/a"}], "nullable": true}),
            ),
            (
                json!({"oneOf": [{"$ref": "#/a"}, {"$ref": "#/blank"}, {"$ref": "#/none"}]}),
                json!({"allOf": [{"$ref": "#/a"}], "nullable": true, "x-blank": true}),
            ),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
                json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
            ),
            (json!({"const": "a"}), json!({"enum": ["a"]})),
            // Names of properties are not keywords, and examples are not schemas.
            (
                json!({"properties": {"enum": {"type": ["integer", "null"]}}, "example": {"type": ["a"]}}),
                json!({"properties": {"enum": {"type": "integer", "nullable": true}}, "example": {"type": ["a"]}}),
            ),
        ] {
            let document = json!({"schema": schema, "a": {"type": "string"}, "blank": {"enum": [""]}, "none": {"enum": [null]}});
            assert_eq!(normal(document)["schema"], expected, "{schema}");
        }
    }

    #[test]
    fn a_place_in_an_alternative_is_found_where_that_stands() {
        let one = json!({"anyOf": [{"type": "null"}, {"properties": {"a/b": {"type": "string"}}}]});
        let two = json!({"oneOf": [{"type": "null"}, {"type": "integer"}, {"type": "string"}]});
        let document = json!({"one": one, "two": two});
        let normal = normal(document.clone());
        for (before, after, kind) in [
            (
                "/one/anyOf/1/properties/a~1b",
                "/one/allOf/0/properties/a~1b",
                "string",
            ),
            ("/two/oneOf/2", "/two/oneOf/1", "string"),
            ("/two/oneOf/1", "/two/oneOf/0", "integer"),
        ] {
            assert_eq!(settled(&document, before), after);
            assert_eq!(normal.pointer(after).unwrap()["type"], kind);
        }
    }

    #[test]
    fn every_type_that_the_generator_lists_has_its_schema_there() {
        let document = document();
        assert!(TYPES.len() > 60, "{}", TYPES.len());
        for (name, place) in TYPES.iter() {
            assert!(document.pointer(place).is_some(), "{name}: {place}");
            assert_eq!(type_of(&document, place).as_ref(), Some(name));
        }
        assert_eq!(place("Unheard"), None);
    }
}
