//! A change of any schema that a message may contain changes the wire. Which schemas those are is found by walking through the document,
//! without the code of the diff. `DOCUMENTS` names a folder whose documents are tried too, `MUTATIONS` says how many changes of each.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use openapi_diff::{Change, Direction, compare};
use openapi_document::pointer::{from_fragment, join, percent_decoded};
use openapi_document::source::Source;
use serde_json::{Value, json};

use super::{lines, shop, source, yaml};

/// Schemas that the operations of a document may send or receive.
struct Reachable<'d> {
    root: &'d Value,
    /// Component schemas by the pointer of a part of their `allOf`.
    children: HashMap<String, Vec<String>>,
    schemas: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl<'d> Reachable<'d> {
    fn read(root: &'d Value) -> Self {
        let mut reachable = Self {
            root,
            children: HashMap::new(),
            schemas: BTreeSet::new(),
            others: BTreeSet::new(),
        };
        let components = root.pointer("/components/schemas");
        for (name, schema) in components.and_then(Value::as_object).into_iter().flatten() {
            for part in schema["allOf"].as_array().into_iter().flatten() {
                if let Some(parent) = part["$ref"].as_str().and_then(from_fragment) {
                    let child = join("/components/schemas", name);
                    let parent = percent_decoded(parent);
                    reachable.children.entry(parent).or_default().push(child);
                }
            }
        }
        for (path, _) in root["paths"].as_object().into_iter().flatten() {
            reachable.other(&join("/paths", path));
        }
        reachable
    }

    /// Walks through a part of an operation that is not a schema.
    fn other(&mut self, at: &str) {
        let Some(value) = self.root.pointer(at) else {
            return;
        };
        if !self.others.insert(at.to_owned()) {
            return;
        }
        if let Some(target) = value["$ref"].as_str().and_then(from_fragment) {
            return self.other(&percent_decoded(target));
        }
        // Headers with these names are described elsewhere, so they have no schema.
        const ELSEWHERE: [&str; 3] = ["accept", "content-type", "authorization"];
        let name = value["name"].as_str().unwrap_or_default().to_lowercase();
        if value["in"] == "header" && ELSEWHERE.contains(&name.as_str()) {
            return;
        }
        const MAPS: [&str; 3] = ["content", "responses", "headers"];
        for (key, value) in value.as_object().into_iter().flatten() {
            let at = join(at, key);
            match key.as_str() {
                "schema" => self.schema(&at),
                "requestBody" => self.other(&at),
                "parameters" => {
                    let count = value.as_array().map_or(0, Vec::len);
                    (0..count).for_each(|index| self.other(&format!("{at}/{index}")));
                }
                "get" | "put" | "post" | "delete" | "patch" => self.other(&at),
                key if MAPS.contains(&key) => {
                    for name in value.as_object().into_iter().flat_map(|map| map.keys()) {
                        // A response without content has the media type of another part; this header is ignored.
                        if key != "headers" || name.to_lowercase() != "content-type" {
                            self.other(&join(&at, name));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn schema(&mut self, at: &str) {
        let Some(value) = self.root.pointer(at).filter(|value| value.is_object()) else {
            return;
        };
        if !self.schemas.insert(at.to_owned()) {
            return;
        }
        if let Some(target) = value["$ref"].as_str().and_then(from_fragment) {
            self.schema(&percent_decoded(target));
        }
        self.schema(&join(at, "additionalProperties"));
        // Elements of a value that is no list.
        if value["type"].as_str().is_none_or(|kind| kind == "array") {
            self.schema(&join(at, "items"));
        }
        if let Some(properties) = value["properties"].as_object() {
            let at = join(at, "properties");
            properties
                .keys()
                .for_each(|name| self.schema(&join(&at, name)));
        }
        for key in ["allOf", "oneOf", "anyOf", "prefixItems"] {
            let count = value[key].as_array().map_or(0, Vec::len);
            (0..count).for_each(|index| self.schema(&format!("{at}/{key}/{index}")));
        }
        if value.get("discriminator").is_some() {
            for (_, target) in value["discriminator"]["mapping"]
                .as_object()
                .into_iter()
                .flatten()
            {
                let target = target.as_str().unwrap_or_default();
                match from_fragment(target) {
                    Some(target) => self.schema(&percent_decoded(target)),
                    None => self.schema(&join("/components/schemas", target)),
                }
            }
            if value.get("oneOf").or(value.get("anyOf")).is_none() {
                self.descendants(at);
            }
        }
    }

    fn descendants(&mut self, at: &str) {
        for child in self.children.get(at).cloned().unwrap_or_default() {
            if !self.schemas.contains(&child) {
                self.schema(&child);
                self.descendants(&child);
            }
        }
    }
}

/// A change of one keyword of a schema.
struct Mutation {
    at: String,
    keyword: &'static str,
    value: Value,
}

/// Returns the changes of a schema that must matter. Left out is what means nothing by itself:
/// - keywords beside a reference, which OpenAPI 3.0 ignores;
/// - a type or a bound beside listed values, which are the only ones;
/// - a bound of values of another type, or beside a format, which may be tighter;
/// - a required member of one direction, or of a part of `allOf`, where another part may require it too.
fn mutations(at: &str, schema: &Value) -> Vec<Mutation> {
    let mut all = Vec::new();
    let mut change = |keyword: &'static str, value: Value| {
        all.push(Mutation {
            at: at.to_owned(),
            keyword,
            value,
        });
    };
    let has = |keyword: &str| schema.get(keyword).is_some();
    if has("$ref") {
        return all;
    }
    let is_listed = has("enum") || has("const");
    let kind = schema["type"].as_str().unwrap_or_default();
    if has("type") && !is_listed && schema["format"] != "binary" {
        let other = if kind == "boolean" {
            "array"
        } else {
            "boolean"
        };
        change("type", json!(other));
    }
    if let Some([first @ .., _]) = schema["enum"].as_array().map(Vec::as_slice)
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
    if let Some(properties) = schema["properties"].as_object()
        && !properties.is_empty()
    {
        let mut more = properties.clone();
        more.insert("zzNew".to_owned(), json!({"type": "integer"}));
        change("properties", Value::Object(more));
        let mut fewer = properties.clone();
        fewer.shift_remove(properties.keys().next().unwrap());
        change("properties", Value::Object(fewer));
    }
    if let Some(required) = schema["required"].as_array()
        && !at.contains("/allOf/")
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

/// Returns whether a change is one of the wire.
fn matters(change: &Change) -> bool {
    !change.rule.is_quiet()
        && !change.rule.keeps_meaning()
        && change.direction != Direction::None
        && change.rule.id != "reference.unknown"
}

/// Tries up to so many changes of a document, from all over it, and returns their number and those without an effect.
fn silent(document: &Source, most: usize) -> (usize, Vec<String>) {
    let reachable = Reachable::read(&document.value).schemas;
    let all: Vec<Mutation> = reachable
        .iter()
        .flat_map(|at| mutations(at, document.value.pointer(at).unwrap()))
        .collect();
    let step = all.len().div_ceil(most.max(1)).max(1);
    let (mut tried, mut silent) = (0, Vec::new());
    for mutation in all.iter().step_by(step) {
        tried += 1;
        let mut value = document.value.clone();
        value.pointer_mut(&mutation.at).unwrap()[mutation.keyword] = mutation.value.clone();
        let found = compare(document, &document.with_value(value));
        if !found.changes.iter().any(matters) {
            let Mutation { at, keyword, .. } = mutation;
            silent.push(format!("{at}: {keyword}: {:?}", lines(&found.changes)));
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
components:
  schemas:
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

#[test]
fn no_schema_of_a_message_changes_silently_in_documents() {
    let Ok(folder) = std::env::var("DOCUMENTS") else {
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
    let mut all = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(document) = Source::read(Path::new(&folder), &name) else {
            continue;
        };
        if document.value.get("openapi").is_none() {
            continue;
        }
        let (tried, silent) = silent(&document, most);
        println!(
            "{name}: {tried} changes, {} silent {silent:#?}",
            silent.len()
        );
        all.extend(silent.iter().map(|one| format!("{name}{one}")));
    }
    assert!(all.is_empty(), "{all:#?}");
}
