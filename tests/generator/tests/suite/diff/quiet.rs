//! Equivalent documents in different notations: only documentation and keywords without effect are reported.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::rewrites::{each_fits_somewhere_and_reports_nothing, rewritten, schemas};
use super::{compare, lines, shop};
use crate::support::random;

/// Rules of changes that affect no message.
pub(super) const QUIET: [&str; 3] = ["docs.changed", "extension.changed", "no-effect"];

/// Returns the differences of two documents other than documentation.
fn loud(old: &Value, new: &Value) -> Vec<String> {
    let mut changes = compare(old, new).changes;
    changes.retain(|change| !QUIET.contains(&change.rule.id));
    lines(&changes)
}

/// Returns whether a schema has a type and no reference.
fn is_of(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("type").is_some_and(|own| own == name)
}

/// Visits the parameters of a document that are not references.
fn parameters(
    document: &mut Value,
    rewrite: &mut dyn FnMut(&mut Map<String, Value>) -> bool,
) -> bool {
    match document {
        Value::Object(map) => {
            let is_parameter = map.get("name").is_some_and(Value::is_string)
                && map.get("in").is_some_and(Value::is_string)
                && map.contains_key("schema");
            let own = is_parameter && rewrite(map);
            map.values_mut()
                .fold(own, |found, child| parameters(child, rewrite) || found)
        }
        Value::Array(items) => {
            let mut found = false;
            for child in items {
                found |= parameters(child, rewrite);
            }
            found
        }
        _ => false,
    }
}

/// Rewrites a schema as an equivalent one. `None` if the rewrite does not fit.
fn schema(schema: &mut Map<String, Value>, kind: u8, number: usize) -> Option<()> {
    match kind {
        // An alternative has a description, or repeats the common type.
        0 => {
            let keyword = ["oneOf", "anyOf"]
                .into_iter()
                .find(|key| schema.contains_key(*key))?;
            let one = schema[keyword]
                .as_array_mut()?
                .first_mut()?
                .as_object_mut()?;
            let (key, value) = match number % 5 {
                0 => ("description", json!("One of them")),
                1 => ("readOnly", json!(false)),
                2 => ("minLength", json!(0)),
                3 => ("uniqueItems", json!(false)),
                _ => ("title", json!("One")),
            };
            schema_free(one)?.insert(key.to_owned(), value);
        }
        // A range of whole numbers is the range of a format.
        1 if schema.contains_key("minimum")
            && schema.contains_key("maximum")
            && is_of(schema, "integer") =>
        {
            schema.insert("format".to_owned(), ["int32", "int64"][number % 2].into());
        }
        // Formats that exclude nothing.
        2 if is_of(schema, "number") && !schema.contains_key("format") => {
            schema.insert("format".to_owned(), "double".into());
        }
        3 if is_of(schema, "string")
            && !schema.contains_key("format")
            && !schema.contains_key("contentEncoding") =>
        {
            schema.insert("format".to_owned(), ["password", "slug"][number % 2].into());
        }
        // Keywords about another type.
        4 if is_of(schema, "object") => {
            schema.insert("minLength".to_owned(), json!(1));
            schema.insert("items".to_owned(), json!({"type": "string"}));
        }
        4 if is_of(schema, "string") => {
            schema.insert("maximum".to_owned(), json!(1));
            schema.insert("required".to_owned(), json!(["none"]));
        }
        // Bytes as a string.
        5 if schema
            .get("contentEncoding")
            .is_some_and(|how| how == "base64") =>
        {
            schema.remove("contentEncoding");
            schema.insert("format".to_owned(), "byte".into());
        }
        // A bound of whole numbers is inclusive, or the next number exclusive.
        6 if is_of(schema, "integer") => {
            if let Some(bound) = schema.get("minimum").and_then(Value::as_i64)
                && !schema.contains_key("exclusiveMinimum")
            {
                schema.remove("minimum");
                schema.insert("exclusiveMinimum".to_owned(), json!(bound - 1));
            } else {
                let bound = schema.get("exclusiveMinimum")?.as_i64()?;
                schema.remove("exclusiveMinimum");
                schema.insert("minimum".to_owned(), json!(bound + 1));
            }
        }
        // Alternatives are nested in one alternative.
        7 if !schema.contains_key("discriminator") => {
            let keyword = ["oneOf", "anyOf"]
                .into_iter()
                .find(|key| schema.contains_key(*key))?;
            let all = schema[keyword].as_array_mut()?;
            if all.len() < 3 {
                return None;
            }
            let inner = all.split_off(all.len() - 2);
            all.push(json!({keyword: inner}));
        }
        // Types are alternatives.
        8 => {
            let Value::Array(names) = schema.get("type")?.clone() else {
                return None;
            };
            if schema.len() > 1 {
                return None;
            }
            schema.remove("type");
            let all: Vec<Value> = names
                .into_iter()
                .map(|name| json!({"type": name, "title": "One"}))
                .collect();
            schema.insert("oneOf".to_owned(), all.into());
        }
        // Null is an alternative, or every alternative allows it.
        9 => {
            let all = schema.get_mut("anyOf")?.as_array_mut()?;
            let null = all.iter().position(|one| *one == json!({"type": "null"}))?;
            all.remove(null);
            for one in all {
                let one = one.as_object_mut()?;
                let name = one.get("type")?.clone();
                one.insert("type".to_owned(), json!([name, "null"]));
            }
        }
        // An object with a property that selects its kind has a schema per kind.
        10 => {
            let required = schema.get("required")?.as_array()?.clone();
            let properties = schema.get("properties")?.as_object()?;
            let (name, values) = properties.iter().find_map(|(name, property)| {
                let values = property.get("enum")?.as_array()?;
                (required.contains(&json!(name)) && values.len() > 1)
                    .then_some((name.clone(), values.clone()))
            })?;
            let sorts = values.into_iter().map(|value| {
                let mut sort = schema.clone();
                sort["properties"][&name] = json!({"enum": [value]});
                Value::Object(sort)
            });
            let sorts: Vec<Value> = sorts.collect();
            schema.clear();
            schema.insert("oneOf".to_owned(), sorts.into());
        }
        _ => return None,
    }
    Some(())
}

/// Returns a schema that is not a reference.
fn schema_free(schema: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    (!schema.contains_key("$ref")).then_some(schema)
}

/// Number of rewrites of a schema.
const OF_SCHEMAS: u8 = 11;
/// Number of all rewrites.
const KINDS: u8 = OF_SCHEMAS + 6;

/// Rewrites a document as an equivalent one. `None` if the rewrite does not fit.
fn reword(document: &mut Value, kind: u8, number: usize) -> Option<()> {
    if kind < OF_SCHEMAS {
        let all = schemas(document);
        let at = all.get(number % all.len())?.clone();
        return schema(document.pointer_mut(&at)?.as_object_mut()?, kind, number);
    }
    let fits = match kind - OF_SCHEMAS {
        // Styles do not affect a scalar.
        0 => parameters(document, &mut |parameter| {
            let is_plain = ["string", "integer"]
                .iter()
                .any(|name| parameter["schema"]["type"] == *name);
            if is_plain && parameter["in"] == "query" {
                let explode = parameter.get("explode") != Some(&json!(false));
                parameter.insert("explode".to_owned(), json!(!explode));
            }
            is_plain
        }),
        // Names of headers and schemes are case-insensitive.
        1 => {
            let schemes = document["components"]["securitySchemes"].as_object_mut()?;
            for scheme in schemes
                .values_mut()
                .filter(|scheme| scheme["in"] == "header")
            {
                let name = scheme["name"].as_str()?;
                let upper = name.chars().any(char::is_lowercase);
                scheme["name"] = if upper {
                    name.to_uppercase()
                } else {
                    name.to_lowercase()
                }
                .into();
            }
            true
        }
        // A path parameter is always sent.
        2 => parameters(document, &mut |parameter| {
            let is_path = parameter["in"] == "path";
            if is_path {
                parameter.insert("required".to_owned(), json!(!number.is_multiple_of(2)));
            }
            is_path
        }),
        // The order of a variable's values has no meaning.
        3 => {
            let variable = document.pointer_mut("/servers/0/variables/region")?;
            variable["enum"].as_array_mut()?.reverse();
            variable["description"] = "Where it stands".into();
            true
        }
        // Bytes have no schema since 3.1.
        4 => {
            let scans = document.pointer_mut("/paths/~1books/post/requestBody/content/multipart~1form-data/schema/properties/scans")?;
            scans["items"] = json!({});
            true
        }
        // Explicit defaults.
        _ => {
            let encoding = document.pointer_mut(
                "/paths/~1books/post/requestBody/content/multipart~1form-data/encoding",
            )?;
            encoding["cover"]["style"] = "form".into();
            encoding["unheard-of"] = json!({"contentType": "text/plain"});
            true
        }
    };
    fits.then_some(())
}

#[test]
fn other_words_of_schemas_fit_somewhere_and_change_no_message() {
    each_fits_somewhere_and_reports_nothing(0..OF_SCHEMAS, reword, loud);
}

#[test]
fn other_words_fit_somewhere_and_change_no_message() {
    each_fits_somewhere_and_reports_nothing(OF_SCHEMAS..KINDS, reword, loud);
}

/// Returns the shop after several rewrites.
pub(super) fn reworded(steps: &[(u8, usize)]) -> Value {
    rewritten(steps, reword)
}

pub(super) fn steps() -> impl Strategy<Value = Vec<(u8, usize)>> {
    prop::collection::vec((0..KINDS, 0usize..1000), 1..20)
}

proptest! {
    #![proptest_config(random(96))]

    #[test]
    fn other_words_one_after_the_other_change_no_message(steps in steps()) {
        let (shop, other) = (shop(), reworded(&steps));
        for (old, new) in [(shop, &other), (&other, shop)] {
            let loud = loud(old, new);
            prop_assert!(loud.is_empty(), "{loud:#?}");
        }
    }
}
