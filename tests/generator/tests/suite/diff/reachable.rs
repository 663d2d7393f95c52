//! A change of any schema that a message may contain changes the wire of each operation that reaches it. `DOCUMENTS` names a folder whose
//! documents are tried too, `MUTATIONS` says how many changes of each.

use std::collections::HashSet;
use std::path::Path;

use openapi_diff::{Change, Direction, compare};
use openapi_document::source::Source;
use serde_json::{Value, json};

use super::reached::{Reached, Way, has_no_siblings, reached};
use super::{lines, shop, source, yaml};

/// A change of one keyword of a schema.
struct Mutation {
    at: String,
    keyword: &'static str,
    value: Value,
    /// The only part of a call to which the keyword matters.
    only: Option<Way>,
}

/// Returns the changes of a schema that must matter. Left out is what means nothing by itself:
/// - keywords beside a reference in OpenAPI 3.0, which ignores them, and beside one in 3.1 those that its target may have too;
/// - a type or a bound beside listed values, which are the only ones; the type of an integer where any number is an alternative;
/// - the type of a file, and a property fewer that is one or has a direction, or in a part of `allOf`, where another part may have it too;
/// - values in a part of `allOf`, where another list may leave them out;
/// - a bound of values of another type, or beside a format, which may be tighter;
/// - a required member of one direction, or of a part of `allOf`, where another part may require it too;
/// - further members in a part of `allOf`, where another part may close it.
fn mutations(root: &Value, parts: &HashSet<&str>, at: &str) -> Vec<Mutation> {
    let schema = root.pointer(at).unwrap();
    let mut all = Vec::new();
    let mut change = |keyword: &'static str, value: Value| {
        all.push(Mutation {
            at: at.to_owned(),
            keyword,
            value,
            only: match keyword {
                "readOnly" => Some(Way::Sent),
                "writeOnly" => Some(Way::Received),
                _ => None,
            },
        });
    };
    let has = |keyword: &str| schema.get(keyword).is_some();
    if has("$ref") && has_no_siblings(root) {
        return all;
    }
    let is_part = at.contains("/allOf/") || parts.contains(at);
    let is_property = at.rsplit('/').nth(1) == Some("properties");
    for (flag, other) in [("readOnly", "writeOnly"), ("writeOnly", "readOnly")] {
        if is_property && schema[flag] != true && schema[other] != true {
            change(flag, json!(true));
        }
    }
    let is_listed = lists_values(schema);
    let kind = schema["type"].as_str().unwrap_or_default();
    let is_covered = kind == "integer" && is_beside_number(root, at);
    if has("type") && !is_listed && !is_covered && !is_file(schema) {
        let other = if kind == "boolean" {
            "array"
        } else {
            "boolean"
        };
        change("type", json!(other));
    }
    let owner = at.rsplitn(3, '/').nth(2).unwrap_or_default();
    let is_listed_again = is_part || parts.contains(owner);
    if let Some([first @ .., _]) = schema["enum"].as_array().map(Vec::as_slice)
        && !is_listed_again
        && first.iter().any(|value| !value.is_null())
    {
        change("enum", json!(first));
    }
    for (keyword, of) in [
        ("minimum", ["integer", "number"]),
        ("maximum", ["integer", "number"]),
        ("minLength", ["string", "string"]),
        ("maxLength", ["string", "string"]),
        ("minItems", ["array", "array"]),
        ("maxItems", ["array", "array"]),
    ] {
        let number = schema[keyword].as_i64();
        if let Some(number) = number.filter(|number| number.unsigned_abs() < 1 << 53)
            && of.contains(&kind)
            && !is_listed
            && !has("format")
            && (keyword != "minimum" || !has("exclusiveMinimum"))
            && (keyword != "maximum" || !has("exclusiveMaximum"))
        {
            change(keyword, json!(number + 2));
        }
    }
    let is_plain = !is_listed && !has("format");
    if let Some(pattern) = schema["pattern"].as_str()
        && kind == "string"
        && is_plain
    {
        change("pattern", json!(format!("{pattern}|z")));
    }
    if let Some(divisor) = schema["multipleOf"].as_f64()
        && ["integer", "number"].contains(&kind)
        && is_plain
    {
        change("multipleOf", json!(divisor * 3.0));
    }
    if kind == "array" {
        change("uniqueItems", json!(schema["uniqueItems"] != true));
    }
    if let Some(only) = schema["const"].as_str()
        && !is_listed_again
    {
        change("const", json!(format!("{only}Other")));
    }
    if kind == "object" && !is_part && !has("allOf") && !has("$ref") {
        let is_closed = schema["additionalProperties"] == false;
        change("additionalProperties", json!(is_closed));
    }
    if let Some(properties) = schema["properties"].as_object()
        && !properties.is_empty()
    {
        let mut more = properties.clone();
        more.insert("zzNew".to_owned(), json!({"type": "integer"}));
        change("properties", Value::Object(more));
        let telling = properties.iter().find(|(_, property)| {
            property["readOnly"] != true && property["writeOnly"] != true && !is_file(property)
        });
        if let Some((name, _)) = telling.filter(|_| !is_part) {
            let mut fewer = properties.clone();
            fewer.shift_remove(name);
            change("properties", Value::Object(fewer));
        }
    }
    if let Some(required) = schema["required"].as_array()
        && !is_part
    {
        let is_of_both = |name: &Value| {
            let property = &schema["properties"][name.as_str().unwrap_or_default()];
            property["type"].is_string()
                && property["readOnly"] != true
                && property["writeOnly"] != true
        };
        if let Some(index) = required.iter().position(is_of_both) {
            let mut fewer = required.clone();
            fewer.remove(index);
            change("required", Value::Array(fewer));
        }
    }
    if let Some(name) = schema["discriminator"]["propertyName"].as_str() {
        let mut renamed = schema["discriminator"].clone();
        renamed["propertyName"] = json!(format!("{name}Other"));
        change("discriminator", renamed);
        if let Some(mapping) = schema["discriminator"]["mapping"].as_object()
            && let Some((value, target)) = mapping.iter().next()
        {
            let mut tagged = schema["discriminator"].clone();
            let map = tagged["mapping"].as_object_mut().unwrap();
            map.insert(format!("{value}Other"), target.clone());
            map.shift_remove(value);
            change("discriminator", tagged);
        }
    }
    all
}

/// Returns whether a schema lists its values, in one list or with an alternative for each.
fn lists_values(schema: &Value) -> bool {
    let lists = ["oneOf", "anyOf"];
    let mut lists = lists.iter().filter_map(|key| schema[*key].as_array());
    schema.get("enum").or(schema.get("const")).is_some()
        || lists.any(|list| !list.is_empty() && list.iter().all(lists_values))
}

/// Returns whether a schema is a file: its bytes are sent, whatever its type.
fn is_file(schema: &Value) -> bool {
    schema["format"] == "binary" || schema.get("contentMediaType").is_some()
}

/// Returns whether a schema is an alternative to any number.
fn is_beside_number(root: &Value, at: &str) -> bool {
    let (list, _) = at.rsplit_once('/').unwrap_or_default();
    let is_choice = list.ends_with("/oneOf") || list.ends_with("/anyOf");
    let list = root.pointer(list).and_then(Value::as_array);
    is_choice && list.is_some_and(|list| list.iter().any(|one| one["type"] == "number"))
}

/// Returns the pointers that the parts of all `allOf` refer to.
fn referred_parts(root: &Value) -> HashSet<&str> {
    let (mut found, mut waiting) = (HashSet::new(), vec![root]);
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(map) => {
                let parts = map.get("allOf").and_then(Value::as_array);
                for part in parts.into_iter().flatten() {
                    let reference = part["$ref"].as_str().unwrap_or_default();
                    found.extend(reference.strip_prefix('#'));
                }
                waiting.extend(map.values());
            }
            Value::Array(list) => waiting.extend(list),
            _ => {}
        }
    }
    found
}

/// Returns whether a change is one of the wire.
fn matters(change: &Change) -> bool {
    !change.rule.is_quiet()
        && !change.rule.keeps_meaning()
        && change.direction != Direction::None
        && change.rule.id != "reference.unknown"
}

/// Returns an operation to which a change matters although no difference is reported for it.
fn unreported<'r>(
    reached: &'r Reached,
    mutation: &Mutation,
    changes: &[Change],
) -> Option<&'r str> {
    let is_reported = |operation: &str| {
        let mut found = changes.iter().filter(|change| matters(change));
        found.any(|change| change.operations.iter().any(|name| name == operation))
    };
    let uses = reached.get(&mutation.at).into_iter().flatten();
    let (operation, _) = uses
        .filter(|(_, way)| mutation.only.is_none_or(|only| only == *way))
        .find(|(operation, _)| !is_reported(operation))?;
    Some(operation)
}

/// Tries up to so many changes of a document, from all over it, and returns their number and those without an effect.
fn silent(document: &Source, most: usize) -> (usize, Vec<String>) {
    let reached = reached(&document.value);
    let parts = referred_parts(&document.value);
    let all: Vec<Mutation> = reached
        .keys()
        .flat_map(|at| mutations(&document.value, &parts, at))
        .collect();
    let step = all.len().div_ceil(most.max(1)).max(1);
    let (mut tried, mut silent) = (0, Vec::new());
    for mutation in all.iter().step_by(step) {
        tried += 1;
        let mut value = document.value.clone();
        value.pointer_mut(&mutation.at).unwrap()[mutation.keyword] = mutation.value.clone();
        let found = compare(document, &document.with_value(value));
        if let Some(operation) = unreported(&reached, mutation, &found.changes) {
            let Mutation { at, keyword, .. } = mutation;
            silent.push(format!(
                "{at}: {keyword}: {operation}: {:?}",
                lines(&found.changes)
            ));
        }
    }
    (tried, silent)
}

/// A parent whose children are known by their `allOf` alone, or by a mapping alone, in several levels.
const FAMILY: &str = "
openapi: 3.0.3
info: {title: Case, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}
    put: {requestBody: {content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Vehicle'}], nullable: true}}}}, responses: {'204': {description: ok}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Method'}}}}, responses: {'204': {description: ok}}}
  /b:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Cat'}}}}}}
components:
  schemas:
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {bones: {type: integer}, secret: {type: string, writeOnly: true}}}]}
    Pet: {type: object, required: [kind], properties: {kind: {type: string}, name: {type: string}}, discriminator: {propertyName: kind}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [lives], properties: {lives: {type: integer, maximum: 9}}}]}
    Lynx: {allOf: [{$ref: '#/components/schemas/Cat'}, {type: object, properties: {tufts: {type: string, maxLength: 5}}}]}
    Vehicle: {type: object, required: [wheels], properties: {wheels: {type: integer}}, discriminator: {propertyName: sort, mapping: {car: Car, boat: '#/components/schemas/Boat'}}}
    Car: {allOf: [{$ref: '#/components/schemas/Vehicle'}], properties: {doors: {type: integer, minimum: 1}}}
    Boat: {type: object, required: [sort], properties: {sort: {type: string}, sails: {type: integer}}}
    Method:
      oneOf: [{$ref: '#/components/schemas/Card'}]
      properties: {at: {type: string}}
      discriminator: {propertyName: type, mapping: {card: '#/components/schemas/Card'}}
    Card: {type: object, required: [type, number], properties: {type: {type: string}, number: {type: string}}}
";

#[test]
fn no_schema_of_a_message_changes_silently() {
    for (name, document) in [("family", &yaml(FAMILY)), ("shop", shop())] {
        let (tried, silent) = silent(&source("case.json", document), 200);
        assert!(tried > 20, "{name}: {tried}");
        assert!(silent.is_empty(), "{name}: {silent:#?}");
    }
}

/// Guards against a search that finds nothing.
#[test]
fn each_use_of_a_schema_is_known_and_one_without_a_change_is_found() {
    let root = yaml(FAMILY);
    let reached = reached(&root);
    let uses = |at: &str| {
        let all = reached.get(&format!("/components/schemas/{at}"));
        let all = all.into_iter().flatten();
        all.map(|(operation, _)| operation.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(uses("Lynx"), ["GET /a", "GET /b"]);
    assert_eq!(uses("Dog/allOf/1/properties/bones"), ["GET /a"]);
    assert_eq!(uses("Dog/allOf/1/properties/secret"), [""; 0]);
    assert_eq!(uses("Car"), ["PUT /a"]);
    let all = mutations(
        &root,
        &HashSet::new(),
        "/components/schemas/Lynx/allOf/1/properties/tufts",
    );
    let keywords: Vec<&str> = all.iter().map(|one| one.keyword).collect();
    assert_eq!(keywords, ["readOnly", "writeOnly", "type", "maxLength"]);
    assert_eq!(unreported(&reached, &all[0], &[]), None, "it is not sent");
    assert_eq!(unreported(&reached, &all[1], &[]), Some("GET /a"));
}

#[test]
#[ignore = "needs a folder in DOCUMENTS; `cargo xtask soak` runs it"]
fn no_schema_of_a_message_changes_silently_in_documents() {
    let Ok(folder) = std::env::var("DOCUMENTS") else {
        eprintln!("skipped: set DOCUMENTS to a folder of documents");
        return;
    };
    let most = std::env::var("MUTATIONS").map_or(40, |text| text.parse().unwrap());
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let extension = path.extension().and_then(|one| one.to_str());
            extension.is_some_and(|one| ["json", "yaml", "yml"].contains(&one))
        })
        .collect();
    paths.sort();
    let (mut number, mut all) = (0, Vec::new());
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let document = Source::read(Path::new(&folder), &name)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        if document.value.get("openapi").is_none() {
            println!("{name}: no OpenAPI document");
            continue;
        }
        let (tried, silent) = silent(&document, most);
        println!(
            "{name}: {tried} changes, {} silent {silent:#?}",
            silent.len()
        );
        assert!(tried > 0, "{name}: no change was tried");
        number += tried;
        all.extend(silent.iter().map(|one| format!("{name}{one}")));
    }
    assert!(number > 0, "{folder}: no document");
    assert!(all.is_empty(), "{all:#?}");
}
