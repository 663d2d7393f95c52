//! Every field of every payload as null, missing, and empty, one at a time: the rest is read unchanged, nothing is rejected or left out, and
//! drift lists what is expected. The exceptions are what the published document itself requires: the content of a response, and a number or a
//! boolean, which is never made up.

use company_intel::document::Documented;
use company_intel::drift::DriftKind;
use company_intel::{Client, Error, Response};
use generated_client::wire::Read;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::envelopes::content;
use crate::support::document::{meant, response_of};
use crate::support::operations::every_operation;
use crate::support::payloads::essence;
use crate::support::whole::object_or_list;

/// Walks the payload of an operation, decoded as the type that its call returns; returns the number of variants decoded. The call only
/// names the type and is never made.
fn walk<T, F>(operation: &str, payload: &str, _: impl Fn(Client) -> F) -> usize
where
    T: Documented + DeserializeOwned + Read + Serialize,
    F: Future<Output = Result<Response<T>, Error>>,
{
    let whole: Value = serde_json::from_str(payload).unwrap();
    let mut pointers = Vec::new();
    collect(&whole, "", &mut pointers);

    let mut variants = 0;
    for pointer in &pointers {
        let value = whole.pointer(pointer).unwrap();
        for replacement in replacements(value) {
            let is_missing = replacement.as_ref().is_none_or(Value::is_null);
            let mut sent = whole.clone();
            replace(&mut sent, pointer, replacement);
            variants += 1;
            let read = Response::<T>::from_bytes(sent.to_string());
            if is_missing && is_demanded(operation, pointer) {
                let error = read.err().unwrap_or_else(|| panic!("{operation}{pointer}"));
                assert!(pointer.starts_with(error.path().unwrap()), "{error}");
                continue;
            }
            let read = read.unwrap_or_else(|error| panic!("{operation}{pointer}: {error}"));
            assert!(read.set_aside().is_empty(), "{operation}{pointer}");
            // A rejected record would be missing.
            let body = serde_json::to_value(&read.body).unwrap();
            assert_eq!(essence(&body), essence(&sent), "{operation}{pointer}");
            let mut drift = read.drift().into_iter();
            let is_said = drift.any(|one| matches!(one.kind, DriftKind::Missing | DriftKind::Null));
            let is_expected = is_expected(operation, pointer, &sent);
            assert_eq!(is_said, is_missing && is_expected, "{operation}{pointer}");
        }
    }
    variants
}

/// Returns whether a response without a field is refused: its content, or a value that a response without content promises.
fn is_demanded(operation: &str, pointer: &str) -> bool {
    let (needed, _) = content(operation);
    needed.iter().any(|name| format!("/{name}") == pointer)
}

/// Returns whether the document requires a field, under any of its names, that a body lacks.
fn is_expected(operation: &str, pointer: &str, sent: &Value) -> bool {
    let (owner, name) = pointer.rsplit_once('/').unwrap();
    let mut schema = object_or_list(response_of(operation));
    for step in owner.split('/').skip(1) {
        schema = object_or_list(match &schema["items"] {
            Value::Null => {
                property(schema, step).map_or(&schema["additionalProperties"], |(_, one)| one)
            }
            items => items,
        });
    }
    let Some((documented, property)) = property(schema, name) else {
        return false;
    };
    let schemas = [property, meant(property)];
    // A type of its own has a default, so that it is a field without an option.
    let has_name = schemas
        .iter()
        .any(|one| one.get("x-rust-type-name").is_some());
    let is_open = !has_name && schemas[1]["type"].is_null() && schemas[1]["enum"].is_null();
    let is_nullable = schemas.iter().any(|one| one["nullable"] == true);
    // Two names of which one is required are one name after a renaming.
    let alternatives = schema["anyOf"].as_array().filter(|all| all.len() == 1);
    let parts = alternatives.into_iter().flatten().chain([schema]);
    let mut required = parts.filter_map(|one| one["required"].as_array()).flatten();
    let is_required = required.any(|one| one == documented);
    let mut names = vec![documented];
    names.extend(aliases(property));
    let there = sent.pointer(owner).unwrap();
    let is_there = names.iter().any(|name| !there[name].is_null());
    is_required && !is_nullable && !is_open && !is_there
}

/// Returns a property by one of its names, with the name in the document.
fn property(schema: &'static Value, name: &str) -> Option<(&'static str, &'static Value)> {
    let mut all = schema["properties"].as_object()?.iter();
    let found = all.find(|(own, one)| *own == name || aliases(one).contains(&name));
    found.map(|(own, one)| (own.as_str(), one))
}

fn aliases(property: &Value) -> Vec<&str> {
    let all = property["x-aliases"].as_array().into_iter().flatten();
    all.filter_map(Value::as_str).collect()
}

/// Returns replacements for a value; `None` removes it.
fn replacements(value: &Value) -> Vec<Option<Value>> {
    let mut replacements = vec![None, Some(Value::Null)];
    match value {
        Value::String(_) => replacements.push(Some(json!(""))),
        Value::Array(_) => replacements.push(Some(json!([]))),
        _ => {}
    }
    replacements
}

fn replace(whole: &mut Value, pointer: &str, replacement: Option<Value>) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = whole.pointer_mut(parent).unwrap();
    let fields = parent.as_object_mut().unwrap();
    match replacement {
        Some(value) => fields.insert(name.to_owned(), value),
        None => fields.remove(name),
    }
    .expect("replaces something");
}

/// Collects pointers to all fields, at any depth, except below objects whose keys are data or whose content is unpublished.
fn collect(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_data = name.starts_with("provider_") || name == "not_published";
                if !is_data {
                    let pointer = format!("{pointer}/{name}");
                    collect(value, &pointer, pointers);
                    pointers.push(pointer);
                }
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                collect(value, &format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_may_be_null_missing_or_empty() {
    let mut all = 0;
    macro_rules! each {
        ($($name:ident: $client:ident => $call:expr,)*) => {$(
            let payload = reviewed_facts::payload(stringify!($name));
            let variants = walk(stringify!($name), &payload, |$client: Client| $call.send());
            // A walk that visits nothing would pass.
            assert!(variants > 3, "{}: only {variants}", stringify!($name));
            all += variants;
        )*};
    }
    every_operation!(each);
    assert!(all > 800, "only {all}");
}
