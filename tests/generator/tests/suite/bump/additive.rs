//! What is only added to a document breaks no caller. `DOCUMENTS` names a folder whose documents are tried, too, and `PROPTEST_CASES` says how
//! many additions to each.

use std::collections::BTreeMap;
use std::path::Path;

use client_generator::surface::{self, Bump, Difference};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

/// Something that a provider adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Addition {
    Property,
    Parameter,
    Operation,
    EnumValue,
    Body,
    RequestMediaType,
    ResponseMediaType,
    SuccessStatus,
    ErrorStatus,
}

const ADDITIONS: [Addition; 9] = [
    Addition::Property,
    Addition::Parameter,
    Addition::Operation,
    Addition::Body,
    Addition::RequestMediaType,
    Addition::EnumValue,
    Addition::ErrorStatus,
    Addition::ResponseMediaType,
    Addition::SuccessStatus,
];
/// Additions that have to break no caller, the first ones. The others are counted:
/// - responses of several statuses, and errors of several schemas, are an enum;
/// - bytes become JSON or text, which is read instead.
const HARMLESS: usize = 6;

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];
const MEDIA_TYPES: [&str; 6] = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/plain",
    "application/octet-stream",
    "application/vnd.new+json",
];

/// Returns the location's last three tokens, the last first.
fn tokens(at: &str) -> [&str; 3] {
    let mut tokens = at.rsplit('/');
    [(); 3].map(|()| tokens.next().unwrap_or_default())
}

/// Returns whether something can be added to a value at a location.
fn is_place(addition: Addition, at: &str, value: &Value) -> bool {
    if at.contains("/example") || at.contains("/x-") {
        return false;
    }
    let [name, owner, above] = tokens(at);
    let is_operation = METHODS.contains(&name) && at.starts_with("/paths/") && value.is_object();
    let is_operation = is_operation && at.matches('/').count() == 3;
    match addition {
        // Equal schemas without a name are one type, until one of them differs.
        Addition::Property => name == "properties" && (above == "schemas" || owner == "schema"),
        Addition::Parameter => is_operation,
        Addition::Operation => at == "/paths",
        Addition::EnumValue => {
            let values = value.as_array();
            // One value is a constant.
            let is_text =
                |values: &Vec<Value>| values.len() > 1 && values.iter().all(Value::is_string);
            name == "enum" && above == "schemas" && values.is_some_and(is_text)
        }
        Addition::Body => is_operation && name != "get" && value.get("requestBody").is_none(),
        // Bytes and text are taken as whatever becomes them.
        Addition::RequestMediaType => {
            let is_body = owner == "requestBody" || above == "requestBodies";
            let mut media_types = value.as_object().into_iter().flatten();
            let is_structured = |one: &str| ["json", "form"].iter().any(|kind| one.contains(kind));
            name == "content" && is_body && media_types.any(|(one, _)| is_structured(one))
        }
        Addition::ResponseMediaType => {
            name == "content" && above == "responses" && owner.starts_with('2')
        }
        Addition::SuccessStatus | Addition::ErrorStatus => {
            name == "responses" && METHODS.contains(&owner) && value.is_object()
        }
    }
}

fn places(document: &Value, addition: Addition) -> Vec<String> {
    let mut found = Vec::new();
    pointer::walk(document, "", &mut |at, value| {
        if is_place(addition, at, value) {
            found.push(at.to_owned());
        }
    });
    found
}

/// Returns an optional value of any type.
fn schema(variation: usize) -> Value {
    let object = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}});
    let all = [
        json!({"type": "string"}),
        json!({"type": "integer", "minimum": 1}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "string", "enum": ["one", "two"]}),
        json!({"type": "array", "items": object}),
        object,
        json!({}),
    ];
    all[variation % all.len()].clone()
}

/// Adds something at a location; `variation` selects its form.
fn add(addition: Addition, value: &mut Value, variation: usize) {
    let media_type = MEDIA_TYPES[variation % MEDIA_TYPES.len()];
    let content =
        |schema: Value| Map::from_iter([(media_type.to_owned(), json!({"schema": schema}))]);
    let response = || json!({"description": "New.", "content": content(schema(variation / 6))});
    let object = || schema(5);
    match addition {
        Addition::Property => value["zzNew"] = schema(variation),
        Addition::Parameter => {
            let all = value.as_object_mut().unwrap();
            let all = all.entry("parameters").or_insert_with(|| json!([]));
            let place = ["query", "header"][variation % 2];
            let parameter = json!({"name": "zzNew", "in": place, "schema": schema(variation / 2)});
            all.as_array_mut().unwrap().push(parameter);
        }
        Addition::Operation => {
            // Methods are behind handles where each operation has a tag.
            let mut items = value.as_object().unwrap().values();
            let tags = items.find_map(|item| METHODS.iter().find_map(|one| item[*one].get("tags")));
            let tags = tags.cloned().unwrap_or(json!([]));
            value["/zz-new/{id}"] = json!({METHODS[variation % 5]: {
                "operationId": "zzNew",
                "tags": tags,
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {"200": response()},
            }});
        }
        Addition::EnumValue => value.as_array_mut().unwrap().push(json!("zz-new")),
        Addition::Body => value["requestBody"] = json!({"content": content(object())}),
        Addition::RequestMediaType | Addition::ResponseMediaType => {
            let all = value.as_object_mut().unwrap();
            if !all.contains_key(media_type) {
                all.extend(content(object()));
            }
        }
        Addition::SuccessStatus => {
            let all = value.as_object_mut().unwrap();
            let status = ["200", "201", "202", "204"][variation % 4];
            let response = if status == "204" {
                json!({"description": "New."})
            } else {
                response()
            };
            all.entry(status).or_insert(response);
        }
        Addition::ErrorStatus => {
            let all = value.as_object_mut().unwrap();
            all.entry("418").or_insert_with(response);
        }
    }
}

/// Returns the differences that would break callers; `None` where the addition has no place.
fn breaking(
    document: &Source,
    addition: Addition,
    at: Index,
    variation: usize,
) -> Option<Vec<Difference>> {
    let places = places(&document.value, addition);
    let at = (!places.is_empty()).then(|| at.get(&places))?;
    let mut value = document.value.clone();
    add(addition, value.pointer_mut(at)?, variation);
    let new = document.with_value(value);
    let differences = surface::between(document, &new, &OverrideReport::default()).ok()?;
    let major = differences
        .into_iter()
        .filter(|one| one.bump == Bump::Major);
    Some(major.collect())
}

/// Tries so many additions of each kind to a document; returns those that break callers.
fn broken(document: &Source, additions: &[Addition], each: usize) -> Vec<(Addition, String)> {
    let mut random = TestRunner::deterministic();
    let strategy = (any::<Index>(), 0..100_usize);
    let mut broken = Vec::new();
    for addition in additions {
        for _ in 0..each {
            let (at, variation) = strategy.new_tree(&mut random).unwrap().current();
            let found = breaking(document, *addition, at, variation);
            if let Some(first) = found.unwrap_or_default().first() {
                let (name, sentence) = (&document.path, &first.sentence);
                broken.push((
                    *addition,
                    format!("{name}: {addition:?} {variation}: {sentence}"),
                ));
            }
        }
    }
    broken
}

fn cases() -> Option<usize> {
    std::env::var("PROPTEST_CASES").map_or(None, |text| text.parse().ok())
}

#[test]
fn what_is_added_breaks_no_caller() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../documents");
    for name in ["assistant", "depot", "forms", "groups", "lake", "lists"] {
        let document = Source::read(&folder, &format!("{name}/openapi.yaml")).unwrap();
        let broken = broken(&document, &ADDITIONS[..HARMLESS], cases().unwrap_or(1));
        assert!(broken.is_empty(), "{broken:#?}");
    }
}

#[test]
#[ignore = "needs a folder in DOCUMENTS"]
fn what_is_added_breaks_no_caller_of_documents() {
    let Ok(folder) = std::env::var("DOCUMENTS") else {
        eprintln!("skipped: set DOCUMENTS to a folder of documents");
        return;
    };
    let entries = std::fs::read_dir(&folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".py")).collect();
    names.sort();
    let mut counts: BTreeMap<Addition, usize> = BTreeMap::new();
    let mut harmful = Vec::new();
    for name in names {
        let Ok(document) = Source::read(Path::new(&folder), &name) else {
            continue;
        };
        for (addition, sentence) in broken(&document, &ADDITIONS, cases().unwrap_or(6)) {
            *counts.entry(addition).or_default() += 1;
            if ADDITIONS[..HARMLESS].contains(&addition) {
                harmful.push(sentence);
            }
        }
    }
    println!("{counts:?} {harmful:#?}");
}
