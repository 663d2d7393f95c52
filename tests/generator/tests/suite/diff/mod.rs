//! Tests of the comparison: the rules one by one, equivalent documents, random documents,
//! and the output for people.

mod bounded;
pub(crate) mod cases;
pub(crate) mod command;
mod families;
mod files;
mod lines_of_text;
mod long_lists;
mod mutations;
mod quiet;
pub(crate) mod random;
mod reachable;
mod reached;
mod readers;
pub(crate) mod rewrites;
mod views;

use openapi_diff::{Change, Differences};
use openapi_document::source::Source;
use std::sync::LazyLock;

use serde_json::{Value, json};

/// Parses a snippet of YAML.
fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns a value as a document that a person could have written.
fn source(name: &str, value: &Value) -> Source {
    Source::parse(name, serde_json::to_string_pretty(value).unwrap()).unwrap()
}

/// A document that uses every feature.
const SHOP: &str = include_str!("shop.yaml");

/// Returns the same document, parsed once.
pub(crate) fn shop() -> &'static Value {
    static READ: LazyLock<Value> = LazyLock::new(|| yaml(SHOP));
    &READ
}

pub(crate) fn compare(old: &Value, new: &Value) -> Differences {
    static SHOPS: LazyLock<[Source; 2]> =
        LazyLock::new(|| ["old.json", "new.json"].map(|name| source(name, shop())));
    // Not by equality: the order of keys is a difference too.
    let is_shop = |value: &Value| std::ptr::eq(value, shop());
    let [old_shop, new_shop] = &*SHOPS;
    match (is_shop(old), is_shop(new)) {
        (true, true) => openapi_diff::compare(old_shop, new_shop),
        (true, false) => openapi_diff::compare(old_shop, &source("new.json", new)),
        (false, true) => openapi_diff::compare(&source("old.json", old), new_shop),
        (false, false) => openapi_diff::compare(&source("old.json", old), &source("new.json", new)),
    }
}

/// Returns a document with these members besides the required ones.
fn document(members: &Value) -> Value {
    let mut document =
        json!({"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {}});
    for (key, value) in members.as_object().unwrap() {
        document[key] = value.clone();
    }
    document
}

/// Returns a document whose only operation receives a body of this schema.
fn in_request(schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": schema}});
    called(
        &json!({"requestBody": {"content": content}, "responses": {"204": {"description": "Done"}}}),
    )
}

/// Returns a document whose only operation has a response body of this schema.
fn in_response(schema: &Value) -> Value {
    let content = json!({"application/json": {"schema": schema}});
    called(&json!({"responses": {"200": {"description": "Found", "content": content}}}))
}

/// Returns a document with this operation for the client to call.
fn called(operation: &Value) -> Value {
    document(&json!({"paths": {"/books/{id}": {"post": operation}}}))
}

/// Returns changes as lines: rule, verdict, direction, sentence.
pub(crate) fn lines(changes: &[Change]) -> Vec<String> {
    changes
        .iter()
        .map(|change| {
            format!(
                "{} {} {} {}: {}",
                change.rule.id, change.wire, change.direction, change.owner, change.message
            )
        })
        .collect()
}
