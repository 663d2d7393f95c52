//! Treatment of each field of OpenAPI 3.2: it is read, or a warning reports that it is not, or it has no effect on a client.

use std::collections::BTreeMap;

use openapi_document::finding::DocumentError;
use serde_json::Value;

use crate::support::{self, made};

const FILE: &str = include_str!("../../fixtures/fields.yaml");

/// Emitted files, except for the document and its hash.
type Files = BTreeMap<String, String>;

/// Returns the emitted files, and the warnings by rule and location.
fn read(document: &Value) -> Result<(Files, Vec<(String, String)>), DocumentError> {
    let generated = made(document, None)?;
    let mut files = support::files(&generated.tree);
    files.retain(|path, _| !["openapi.yaml", "manifest.yaml"].contains(&path.as_str()));
    let warnings = generated.warnings.iter();
    let warnings = warnings.map(|one| (one.rule.to_owned(), one.pointer.clone()));
    Ok((files, warnings.collect()))
}

/// Returns the treatment of a document that differs from the base.
fn fate(document: &Value, base: &Files, warned: &[(String, String)], expected: &str) -> String {
    let (files, warnings) = match read(document) {
        Err(error) => return format!("error: {error}"),
        Ok(found) => found,
    };
    let new = warnings.into_iter().find(|one| !warned.contains(one));
    match new {
        Some((rule, _)) if expected != "read" => format!("warning {rule}"),
        _ if files != *base => "read".to_owned(),
        Some((rule, _)) => format!("warning {rule}"),
        None => "no effect".to_owned(),
    }
}

#[test]
fn each_field_is_read_or_warned_of_or_has_no_effect() {
    let file: Value = serde_yaml::from_str(FILE).unwrap();
    let document = &file["document"];
    let (base, warned) = read(document).unwrap();
    let mut wrong = Vec::new();
    for object in file["objects"].as_array().unwrap() {
        for row in object["fields"].as_array().unwrap() {
            let [field, value, expected] = row.as_array().unwrap().as_slice() else {
                panic!("{row}");
            };
            let [at, field, expected] =
                [&object["at"], field, expected].map(|one| one.as_str().unwrap());
            let mut changed = document.clone();
            let place = changed.pointer_mut(at).unwrap_or_else(|| panic!("{at}"));
            place[field] = value.clone();
            let found = fate(&changed, &base, &warned, expected);
            if found != expected {
                wrong.push(format!("{at} `{field}`: {found}, and not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
