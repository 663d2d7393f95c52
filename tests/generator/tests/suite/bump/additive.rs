//! What is only added to a document breaks no caller. `DOCUMENTS` names a folder whose documents are tried, too, and `PROPTEST_CASES` says how
//! many additions to each.

use std::path::Path;

use client_generator::surface::{self, Bump, Difference, Surface};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Map, Value, json};

/// Something that a provider adds.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        // An object without properties is a map.
        Addition::Property => {
            let has_any = value.as_object().is_some_and(|all| !all.is_empty());
            name == "properties" && owner != name && has_any
        }
        Addition::Parameter => is_operation,
        Addition::Operation => at == "/paths",
        Addition::EnumValue => {
            let values = value.as_array();
            // One value is a constant.
            let is_text =
                |values: &Vec<Value>| values.len() > 1 && values.iter().all(Value::is_string);
            name == "enum" && owner != "properties" && values.is_some_and(is_text)
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
        // A `default` alone is the success, too.
        Addition::SuccessStatus | Addition::ErrorStatus => {
            let mut statuses = value.as_object().into_iter().flat_map(Map::keys);
            let has_success = statuses.any(|status| status.starts_with('2'));
            let has_success = has_success || value.get("default").is_none();
            name == "responses" && METHODS.contains(&owner) && has_success
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

/// Returns an operation that is there already, for every second variation.
fn copied(paths: &Value, variation: usize) -> Option<(String, Value)> {
    let paths = paths.as_object()?.iter();
    let operations = paths.flat_map(|(path, item)| {
        let of_path = METHODS.iter().filter_map(|method| item.get(*method));
        of_path.map(move |operation| (path.clone(), operation.clone()))
    });
    let mut operations = operations.filter(|_| variation.is_multiple_of(2));
    operations.nth(variation / 2)
}

/// Orders media types of responses: the least one is read, and another schema in a better one is another response.
fn rank(media_type: &str) -> usize {
    let is_text = media_type.starts_with("text/") || media_type.ends_with("xml");
    match media_type {
        "application/json" => 0,
        json if json.ends_with("+json") || json == "text/json" => 1,
        text if is_text && text != "text/event-stream" => 2,
        _ => 3,
    }
}

/// Adds something at a location; `variation` selects its form.
fn add(addition: Addition, value: &mut Value, variation: usize) {
    let media_type = MEDIA_TYPES[variation % MEDIA_TYPES.len()];
    let content =
        |schema: Value| Map::from_iter([(media_type.to_owned(), json!({"schema": schema}))]);
    let response = || json!({"description": "New.", "content": content(schema(variation / 6))});
    let object = || schema(5);
    match addition {
        Addition::Property => {
            // One that is there already, under another name. A second list makes it uncertain which one is paged.
            let copied = value
                .as_object()
                .and_then(|all| all.values().nth(variation % 8));
            let copied = copied.filter(|one| one["type"] != "array");
            value["zzNew"] = copied.cloned().unwrap_or_else(|| schema(variation));
        }
        Addition::Parameter => {
            let all = value.as_object_mut().unwrap();
            let all = all.entry("parameters").or_insert_with(|| json!([]));
            let place = ["query", "header"][variation % 2];
            let parameter = json!({"name": "zzNew", "in": place, "schema": schema(variation / 2)});
            all.as_array_mut().unwrap().push(parameter);
        }
        Addition::Operation => {
            let (path, mut operation) = copied(value, variation).unwrap_or_else(|| {
                let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
                let mut operation = json!({"parameters": [id], "responses": {"200": response()}});
                // One that needs no key, beside others that all need the same, changes how a client gets it.
                let first = copied(value, 0).map(|(_, first)| first);
                if let Some(security) = first.and_then(|first| first.get("security").cloned()) {
                    operation["security"] = security;
                }
                ("/{id}".to_owned(), operation)
            });
            operation["operationId"] = json!("zzNew");
            let method = METHODS[variation % 5];
            value[format!("/zz-new{path}")] = json!({method: operation});
        }
        Addition::EnumValue => value.as_array_mut().unwrap().push(json!("zz-new")),
        Addition::Body => value["requestBody"] = json!({"content": content(object())}),
        Addition::RequestMediaType | Addition::ResponseMediaType => {
            let all = value.as_object_mut().unwrap();
            let best = all.keys().map(|known| rank(known)).min();
            let is_read = addition == Addition::RequestMediaType || best <= Some(rank(media_type));
            if is_read && !all.contains_key(media_type) {
                all.extend(content(object()));
            }
        }
        Addition::SuccessStatus => {
            let all = value.as_object_mut().unwrap();
            let known = all.iter().find(|(status, _)| status.starts_with('2'));
            if let Some((_, response)) = known.map(|(status, one)| (status, one.clone())) {
                all.entry(["200", "201", "202", "203"][variation % 4])
                    .or_insert(response);
            }
        }
        Addition::ErrorStatus => {
            let all = value.as_object_mut().unwrap();
            all.entry("418").or_insert_with(response);
        }
    }
}

/// A document with its crate, before anything is added.
struct Before {
    document: Source,
    surface: Surface,
}

/// Returns the first difference that would break callers, if there is one, and if the addition has a place.
fn first_major(
    before: &Before,
    addition: Addition,
    at: Index,
    variation: usize,
) -> Option<Difference> {
    let places = places(&before.document.value, addition);
    let at = (!places.is_empty()).then(|| at.get(&places))?;
    let mut value = before.document.value.clone();
    add(addition, value.pointer_mut(at)?, variation);
    let new = before.document.with_value(value);
    let new = surface::read(&new, &OverrideReport::default()).ok()?;
    let mut differences = surface::compare(&before.surface, &new).into_iter();
    differences.find(|one| one.bump == Bump::Major)
}

/// Tries so many additions of each kind to a document; returns what breaks callers.
fn majors(document: Source, each: usize) -> Vec<String> {
    let Ok(surface) = surface::read(&document, &OverrideReport::default()) else {
        return Vec::new();
    };
    let before = Before { document, surface };
    let mut config = Config::default();
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0);
    }
    let mut random = TestRunner::new(config);
    let strategy = (any::<Index>(), 0..100_usize);
    let mut majors = Vec::new();
    for addition in ADDITIONS {
        for _ in 0..each {
            let (at, variation) = strategy.new_tree(&mut random).unwrap().current();
            if let Some(first) = first_major(&before, addition, at, variation) {
                let (name, sentence) = (&before.document.path, &first.sentence);
                majors.push(format!("{name}: {addition:?} {variation}: {sentence}"));
            }
        }
    }
    majors
}

fn cases() -> Option<usize> {
    std::env::var("PROPTEST_CASES").map_or(None, |text| text.parse().ok())
}

#[test]
#[ignore = "the gate runs it: it takes seconds"]
fn what_is_added_breaks_no_caller() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../documents");
    for name in ["assistant", "depot", "forms", "groups", "lists"] {
        let document = Source::read(&folder, &format!("{name}/openapi.yaml")).unwrap();
        let majors = majors(document, cases().unwrap_or(1));
        assert!(majors.is_empty(), "{majors:#?}");
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
    let mut names = Vec::from_iter(entries.map(|entry| entry.unwrap().file_name()));
    names.sort();
    let names = names.iter().filter_map(|name| name.to_str());
    let documents = names.filter_map(|name| Source::read(Path::new(&folder), name).ok());
    let majors = documents.flat_map(|document| majors(document, cases().unwrap_or(6)));
    let majors = Vec::from_iter(majors);
    assert!(majors.is_empty(), "{majors:#?}");
}
