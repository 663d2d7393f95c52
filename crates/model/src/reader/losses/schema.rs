//! The keywords of schemas that the normal form does not have. Bounds are skipped: they are in the documentation of a field, or checked
//! for an argument.

use openapi_document::finding::near;
use openapi_document::keywords::Role::{Annotation, Condition, Dependency, Name, Words};
use openapi_document::keywords::{KEYWORDS, Keyword, Takes, has_role, keyword};
use openapi_document::pointer;
use openapi_document::resolver::{self, reference};
use serde_json::Value;

use super::Walk;

/// Walks through a schema and all that it leads to.
pub(super) fn schemas(walk: &mut Walk<'_, '_>, at: &str) {
    let mut waiting = vec![at.to_owned()];
    while let Some(at) = waiting.pop() {
        if let Some(schema) = walk
            .notes
            .source
            .value
            .pointer(&at)
            .filter(|one| one.is_object())
            && walk.seen.insert(at.clone())
        {
            keywords(walk, &at, schema, &mut waiting);
        }
    }
}

/// Warns of a keyword that is probably misspelt. Other unknown keywords belong to other tools, and allow every value.
fn unknown(walk: &mut Walk<'_, '_>, key: &str, at: &str) {
    let known = KEYWORDS
        .iter()
        .filter(|row| ![Words, Name].contains(&row.role));
    let likely = near(key, known.map(|row| row.name)).filter(|likely| !key.starts_with(likely));
    if let Some(likely) = likely.filter(|_| !key.starts_with("x-")) {
        walk.notes.warn(
            "unknown-keyword",
            at,
            format!("`{key}` is not a schema keyword, and is not read: `{likely}` may be meant"),
            "write it as OpenAPI defines it, or remove it, in an override",
        );
    }
}

fn keywords(walk: &mut Walk<'_, '_>, at: &str, schema: &Value, waiting: &mut Vec<String>) {
    let root = &walk.notes.source.value;
    let target = reference(schema).and_then(|reference| resolver::target(root, reference));
    waiting.extend(target.map(|target| target.pointer));
    for (key, value) in schema.as_object().into_iter().flatten() {
        let below = pointer::join(at, key);
        match keyword(key) {
            Some(row) if [Condition, Dependency].contains(&row.role) => {
                if !allows_all(value) {
                    walk.notes.warn(
                        "schema-condition",
                        &below,
                        format!("`{key}` is not checked before a call: the service checks it"),
                        "no action is needed",
                    );
                }
            }
            Some(row) => waiting.extend(inner(row, value, &below)),
            None => unknown(walk, key, &below),
        }
    }
}

/// Returns whether a keyword's demand holds for every value: it is empty, or demands that the name of a member is a string.
fn allows_all(demanded: &Value) -> bool {
    match demanded.as_object() {
        Some(map) => map.iter().all(|(key, value)| {
            has_role(key, &[Words, Annotation]) || key == "type" && value == "string"
        }),
        None => !demanded.is_array(),
    }
}

/// The places of the schemas that a keyword holds.
fn inner(row: &Keyword, value: &Value, at: &str) -> Vec<String> {
    match row.takes {
        Takes::Schema | Takes::SchemaOrBool => vec![at.to_owned()],
        Takes::Schemas => {
            let count = value.as_array().map_or(0, Vec::len);
            (0..count).map(|index| format!("{at}/{index}")).collect()
        }
        Takes::NamedSchemas => {
            let names = value.as_object().into_iter().flatten();
            names.map(|(name, _)| pointer::join(at, name)).collect()
        }
        _ => Vec::new(),
    }
}
