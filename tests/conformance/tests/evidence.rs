//! The evidence of every override decodes losslessly with the generated type.

use company_intel::types;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support::document::{schema_of, type_of};
use crate::support::evidence::evidence;
use crate::support::types::every_type;
use crate::support::whole::complete;

/// Decodes a payload strictly and serializes it again.
fn written<T: DeserializeOwned + Serialize>(payload: &Value) -> Result<Value, serde_json::Error> {
    let read: T = serde_json::from_str(&payload.to_string())?;
    serde_json::to_value(read)
}

fn through(name: &str, payload: &Value) -> Value {
    macro_rules! through_one_of {
        ($($name:ident)*) => {
            match name {
                $(stringify!($name) => written::<types::$name>(payload),)*
                other => panic!("the crate has no type {other}"),
            }
        };
    }
    every_type!(through_one_of).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn all_evidence_decodes_and_nothing_of_it_is_lost() {
    let files = evidence();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let evidence: Value = serde_json::from_str(&text).unwrap();
        assert!(
            evidence["note"].is_string(),
            "{} does not say where it is from",
            file.display()
        );
        let mut payload = evidence["payload"].clone();
        let Some(name) = type_of(evidence["schema"].as_str().unwrap()) else {
            continue;
        };
        complete(schema_of(&name), &mut payload);
        let written = through(&name, &payload);
        assert_eq!(leaves(&written), leaves(&payload), "{}", file.display());
    }
}

/// Returns every scalar that is not a default, sorted. Names are ignored: a value may be written under its documented name.
fn leaves(value: &Value) -> Vec<String> {
    let mut leaves = match value {
        Value::Object(object) => object.values().flat_map(leaves).collect(),
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::Number(number) if number.as_f64() == Some(0.0) => Vec::new(),
        plain => vec![plain.to_string()],
    };
    leaves.sort();
    leaves
}
