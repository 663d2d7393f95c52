//! What is only added to a document never breaks callers. `DOCUMENTS` names a folder whose documents are tried, too, `MUTATIONS` says how many
//! additions of each.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use client_generator::surface::{self, Bump, Difference};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
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
    Addition::EnumValue,
    Addition::Body,
    Addition::RequestMediaType,
    Addition::ErrorStatus,
    Addition::ResponseMediaType,
    Addition::SuccessStatus,
];
/// What makes an enum of the response: its callers match the status codes.
const BREAKING: [Addition; 1] = [Addition::SuccessStatus];

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
        Addition::Property => name == "properties" && owner != "properties" && value.is_object(),
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
        Addition::RequestMediaType => {
            name == "content" && (owner == "requestBody" || above == "requestBodies")
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
            value["/zz-new/{id}"] = json!({METHODS[variation % 5]: {
                "operationId": "zzNew",
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

/// The documents of `tests/documents`.
static DOCUMENTS: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../documents");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path().join("openapi.yaml"))
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        Source::parse(&file.to_string_lossy(), text).unwrap()
    };
    files.iter().map(read).collect()
});

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").map_or(48, |cases| cases.parse().unwrap())
    ) })]

    #[test]
    fn what_is_added_breaks_no_caller(
        document in any::<Index>(),
        addition in select(&ADDITIONS[..]).prop_filter("may break", |one| !BREAKING.contains(one)),
        at in any::<Index>(),
        variation in 0..100_usize,
    ) {
        let document = document.get(&DOCUMENTS);
        let breaking = breaking(document, addition, at, variation).unwrap_or_default();
        prop_assert!(breaking.is_empty(), "{}: {breaking:#?}", document.path);
    }
}

#[test]
#[ignore = "needs a folder in DOCUMENTS"]
fn what_is_added_breaks_no_caller_of_documents() {
    let Ok(folder) = std::env::var("DOCUMENTS") else {
        eprintln!("skipped: set DOCUMENTS to a folder of documents");
        return;
    };
    let most: usize = std::env::var("MUTATIONS").map_or(40, |text| text.parse().unwrap());
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| {
            [".json", ".yaml", ".yml"]
                .iter()
                .any(|end| name.ends_with(end))
        })
        .collect();
    names.sort();
    let mut random = proptest::test_runner::TestRunner::deterministic();
    let mut counts: BTreeMap<Addition, (usize, usize)> = BTreeMap::new();
    let mut all = Vec::new();
    for name in names {
        let Ok(document) = Source::read(Path::new(&folder), &name) else {
            continue;
        };
        for number in 0..most {
            let addition = ADDITIONS[number % ADDITIONS.len()];
            let mut draw = |strategy: &BoxedStrategy<(Index, usize)>| {
                strategy.new_tree(&mut random).unwrap().current()
            };
            let (at, variation) = draw(&(any::<Index>(), 0..100_usize).boxed());
            let Some(found) = breaking(&document, addition, at, variation) else {
                continue;
            };
            let count = counts.entry(addition).or_default();
            count.0 += 1;
            if let Some(first) = found.first() {
                count.1 += 1;
                if BREAKING.contains(&addition) {
                    continue;
                }
                all.push(format!(
                    "{name}: {addition:?} {variation}: {} ({:?})",
                    first.sentence, first.new
                ));
            }
        }
    }
    for (addition, (tried, broken)) in &counts {
        println!("{addition:?}: {broken} of {tried}");
    }
    assert!(!counts.is_empty(), "{folder}: no document");
    assert!(all.is_empty(), "{all:#?}");
}
