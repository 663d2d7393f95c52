//! Documents as providers publish them next: edits of the committed one. A case is found by what it is, so that it is there in the next
//! document too.

use openapi_document::{pointer, resolver};
use openapi_overrides::{Family, judge};
use serde_json::{Map, Value, json};

use crate::diff::rewrites::everywhere;
use crate::rebase::committed::{PREFIX, SLASH, rewritten};
use crate::rebase::components::with_other_names;
use crate::support::{Inputs, reached};

/// Changes a document.
pub(super) type Edit = fn(&mut Value);

/// Returns the pointer of the first operation of the published document for which an override has an extension.
fn operation_with(extension: &str) -> String {
    let inputs = Inputs::committed();
    let mut found = None;
    pointer::walk(inputs.reconciled().value(), "", &mut |at, value| {
        let is_there = inputs.published.value.pointer(at).is_some();
        if is_there && at.starts_with("/paths/") && value.get(extension).is_some() {
            found.get_or_insert_with(|| at.to_owned());
        }
    });
    found.expect("no override has it")
}

fn path_of(operation: &str) -> String {
    pointer::tokens(operation).nth(1).unwrap()
}

/// Returns a schema without words and other names.
fn bare(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(map) = schema.as_object_mut() {
        map.retain(|key, _| !["description", "x-aliases"].contains(&key.as_str()));
    }
    schema
}

/// Returns the name of a property that an override adds, with its schema and the name that the document has for it. Nothing else differs.
fn corrected_name() -> Option<(String, String, String)> {
    let inputs = Inputs::committed();
    let published = &inputs.published.value;
    let mut found = None;
    pointer::walk(inputs.reconciled().value(), "", &mut |at, value| {
        let Some((owner, name)) = pointer::split_last(at) else {
            return;
        };
        let alias = value.get("x-aliases").and_then(|all| all.get(0)?.as_str());
        let alias = alias.filter(|alias| {
            let there = published.pointer(&pointer::join(owner, alias));
            there.map(bare) == Some(bare(value)) && published.pointer(at).is_none()
        });
        if let Some(alias) = alias.filter(|_| owner.ends_with("/properties")) {
            found.get_or_insert((owner.to_owned(), name, alias.to_owned()));
        }
    });
    found
}

/// Replaces a property by properties of these names, in its place.
pub(super) fn renamed(document: &mut Value, keep: bool) {
    let Some((owner, name, alias)) = corrected_name() else {
        return;
    };
    let properties = document.pointer_mut(&owner).unwrap();
    let all = std::mem::take(properties.as_object_mut().unwrap());
    let new = all.into_iter().flat_map(|(key, value)| {
        let is_it = key == alias;
        let own = (!is_it || keep).then(|| (key, value.clone()));
        own.into_iter()
            .chain(is_it.then(|| (name.clone(), value)))
            .collect::<Vec<_>>()
    });
    *properties = new.collect::<Map<_, _>>().into();
}

/// Adds an operation that pages, as its parameters and its response suggest.
pub(super) fn additive(document: &mut Value) {
    let path = path_of(&operation_with("x-pagination"));
    let mut item = document["paths"][&path].clone();
    for operation in item.as_object_mut().unwrap().values_mut() {
        operation["operationId"] = "playedOperation".into();
        let all = operation["parameters"].as_array_mut().unwrap();
        for name in ["limit", "offset"] {
            let is_there = all.iter().any(|one| {
                let parameter = resolver::meant(document, one);
                parameter.is_some_and(|one| one["name"] == name)
            });
            if !is_there {
                let schema = json!({"type": "integer", "minimum": 0});
                all.push(json!({"name": name, "in": "query", "schema": schema}));
            }
        }
    }
    document["paths"][format!("{path}/played")] = item;
}

pub(super) fn without_an_operation(document: &mut Value) {
    let path = path_of(&operation_with("x-pagination"));
    document["paths"]
        .as_object_mut()
        .unwrap()
        .shift_remove(&path);
}

/// Removes an operation with all schemas that only it leads to.
pub(super) fn without_an_operation_and_its_schemas(document: &mut Value) {
    let before = reached(document);
    without_an_operation(document);
    let after = reached(document);
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    schemas.retain(|name, _| !before.contains(name) || after.contains(name));
}

pub(super) fn with_other_words(document: &mut Value) {
    document["info"]["description"] = "Other words.".into();
}

pub(super) fn with_another_prefix(document: &mut Value) {
    rewritten(document, PREFIX, 1).unwrap();
}

pub(super) fn with_other_schemas(document: &mut Value) {
    *document = with_other_names(Inputs::committed());
}

pub(super) fn in_another_format(_: &mut Value) {}

/// Writes the document as a framework does that derives it from code: ids from paths, a title everywhere, null wherever nothing is required.
pub(super) fn exported(document: &mut Value) {
    let exported = |key: &str, value: &mut Value| {
        let required = value.get("required").cloned().unwrap_or_default();
        let Some(object) = value.as_object_mut() else {
            return;
        };
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            let is_required = |name: &str| {
                let mut all = required.as_array().into_iter().flatten();
                all.any(|one| one == name)
            };
            for (name, schema) in properties {
                if !is_required(name) && schema.get("anyOf").is_none() {
                    *schema = json!({"anyOf": [schema.clone(), {"type": "null"}], "title": name});
                }
            }
        }
        if key == "schema" && object.get("$ref").is_none() {
            object.insert("title".to_owned(), "A title".into());
        }
        if object.contains_key("in") && object.contains_key("schema") {
            object.entry("required").or_insert(false.into());
        }
        if object.get("nullable").is_some() {
            object.shift_remove("nullable");
            if object.get("enum") == Some(&json!([null])) {
                object.insert("type".to_owned(), "null".into());
            }
        }
    };
    everywhere(document, &exported, "");
    document["openapi"] = "3.1.0".into();
    let security = document.as_object_mut().unwrap().shift_remove("security");
    for (path, item) in document["paths"].as_object_mut().unwrap() {
        let item = item.as_object_mut().unwrap().iter_mut();
        for (method, operation) in item {
            if let Some(security) = &security {
                operation["security"] = security.clone();
            }
            operation["operationId"] =
                format!("{method}{}", path.replace(['/', '{', '}'], "_")).into();
        }
    }
}

/// Writes the document as another framework does: 3.0, ids and slashes of its own, each enumeration a component, null wherever nothing is
/// required.
pub(super) fn exported_with_enums(document: &mut Value) {
    rewritten(document, SLASH, 1).unwrap();
    let enums = with_renamed_enums(document);
    document["components"]["schemas"]["NullEnum"] = json!({"enum": [null]});
    let optional = |_: &str, value: &mut Value| {
        let required = value.get("required").cloned().unwrap_or_default();
        let Some(Value::Object(properties)) = value.get_mut("properties") else {
            return;
        };
        for (name, schema) in properties {
            let is_required = required
                .as_array()
                .is_some_and(|all| all.contains(&json!(name)));
            if !is_required && schema.get("anyOf").is_none() {
                make_nullable(schema, &enums);
            }
        }
    };
    everywhere(document, &optional, "");
    for (path, item) in document["paths"].as_object_mut().unwrap() {
        for operation in item.as_object_mut().unwrap().values_mut() {
            let id = path.trim_matches('/').replace(['/', '-'], "_");
            operation["operationId"] = format!("{}_retrieve", id.replace(['{', '}'], "")).into();
        }
    }
}

/// Gives each component that is an enumeration the name of one. Returns the references to them.
fn with_renamed_enums(document: &mut Value) -> Vec<Value> {
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    let is_enum = |schema: &Value| schema.get("enum").is_some();
    let mut names: Vec<String> = Vec::new();
    for (name, _) in schemas.iter().filter(|(_, schema)| is_enum(schema)) {
        names.push(name.clone());
    }
    let all = std::mem::take(schemas).into_iter();
    *schemas = all
        .map(|(name, schema)| {
            let is_renamed = names.contains(&name);
            (
                if is_renamed {
                    format!("{name}Enum")
                } else {
                    name
                },
                schema,
            )
        })
        .collect();
    let reference = |name: &String| format!("#/components/schemas/{name}");
    let old: Vec<String> = names.iter().map(reference).collect();
    let rename = |_: &str, value: &mut Value| {
        let text = value.get("$ref").and_then(Value::as_str);
        if let Some(text) = text.filter(|text| old.iter().any(|old| old == text)) {
            value["$ref"] = format!("{text}Enum").into();
        }
    };
    everywhere(document, &rename, "");
    old.iter().map(|old| format!("{old}Enum").into()).collect()
}

/// Allows null in a property, beside a reference by a list of alternatives.
fn make_nullable(schema: &mut Value, enums: &[Value]) {
    let reference = schema.get("$ref").cloned();
    *schema = match reference {
        Some(reference) if enums.contains(&reference) => json!({
            "nullable": true,
            "oneOf": [{"$ref": reference}, {"$ref": "#/components/schemas/NullEnum"}],
        }),
        Some(reference) => json!({"nullable": true, "allOf": [{"$ref": reference}]}),
        None => {
            schema["nullable"] = true.into();
            return;
        }
    };
}

/// Adds what overrides correct, as they have it: the document of a provider who heard of the mistakes.
pub(super) fn corrected(document: &mut Value) {
    let inputs = Inputs::committed();
    let mut set = inputs.overrides.clone();
    set.overrides.retain(|one| one.family == Family::Upstream);
    *document = judge(&inputs.published, &set).document;
    let without_extensions = |_: &str, value: &mut Value| {
        if let Value::Object(map) = value {
            map.retain(|key, _| !key.starts_with("x-"));
        }
    };
    everywhere(document, &without_extensions, "");
}
