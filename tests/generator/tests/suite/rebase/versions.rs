//! Tests of the committed document in another version of OpenAPI.

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};
use serde_json::{Map, Value};

use super::committed::moved;
use crate::diff::rewrites::everywhere;
use crate::support::Inputs;

/// Writes null as one of the types.
fn respell_for_3_1(schema: &mut Map<String, Value>) {
    if schema.get("nullable") == Some(&Value::Bool(true)) && schema.contains_key("type") {
        schema.shift_remove("nullable");
        let name = schema["type"].clone();
        schema["type"] = Value::Array(vec![name, "null".into()]);
    }
}

/// Writes null as a keyword.
fn respell_for_3_0(schema: &mut Map<String, Value>) {
    let name = match schema
        .get("type")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([name, null]) if null == "null" => Some(name.clone()),
        _ => None,
    };
    if let Some(name) = name {
        schema["type"] = name;
        schema.insert("nullable".to_owned(), true.into());
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(all)) = schema.get(key) else {
            continue;
        };
        let is_null = |one: &&Value| one.get("type").is_some_and(|name| name == "null");
        let left: Vec<Value> = all.iter().filter(|one| !is_null(one)).cloned().collect();
        if left.len() < all.len() {
            let key = if left.len() == 1 { "allOf" } else { key };
            schema.shift_remove("anyOf");
            schema.shift_remove("oneOf");
            schema.insert(key.to_owned(), left.into());
            schema.insert("nullable".to_owned(), true.into());
        }
    }
}

#[test]
fn a_document_of_another_version_and_with_wrappers_gives_the_same_types() {
    let inputs = Inputs::committed();
    let mut document = inputs.published.value.clone();
    let is_newer = document["openapi"].as_str().unwrap().starts_with("3.1");
    document["openapi"] = if is_newer { "3.0.3" } else { "3.1.0" }.into();
    let respelled = |value: &mut Value| {
        if let Some(schema) = value.as_object_mut() {
            if is_newer {
                respell_for_3_0(schema)
            } else {
                respell_for_3_1(schema)
            }
        }
    };
    everywhere(&mut document, &|_, value| respelled(value), "");
    let types = |published: &Source, overrides: &OverrideSet| {
        let reconciled = reconcile(published, overrides).unwrap();
        let tree = crate::support::tool::tree(published, overrides, &reconciled).unwrap();
        // Comments about the origin of an item may change with the wording of the document.
        let is_provenance = |line: &&str| line.trim() == "///" || line.contains("/// *");
        let said = |text: &str| {
            let lines = text.lines().filter(|line| !is_provenance(line));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let files = tree.iter().filter(|(path, _)| path.starts_with("src/"));
        files
            .map(|(path, text)| (path.to_owned(), said(text)))
            .collect::<Vec<_>>()
    };
    let (new, rebase) = moved(inputs, &document);
    assert_ne!(
        rebase.files,
        Vec::new(),
        "a guard of null is written in another way"
    );
    assert!(
        types(&inputs.published, &inputs.overrides) == types(&new, &rebase.set),
        "the crate differs"
    );
}
