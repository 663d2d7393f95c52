//! Responses of the sandbox, read as types of the crate.

use company_intel::{Error, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Companies of the sample data: with all of it, with less, and with the least.
pub(crate) const SERVED: [&str; 3] = ["example.com", "quarry-software.example", "t1d3w4t3"];

/// Decodes strictly, and compares the response with the value of the types.
pub(crate) fn check<T: DeserializeOwned + Serialize>(response: Result<Response<T>, Error>) {
    let response = response.unwrap();
    let sent: Value = serde_json::from_slice(&response.raw).unwrap();
    // Decoding outside of a client is strict: a record that does not decode is an error.
    let strict: T = serde_json::from_slice(&response.raw).unwrap();
    let held = serde_json::to_value(&strict).unwrap();
    assert_eq!(comparable(held), comparable(sent));
    assert!(response.reported_charge().is_some());
}

/// Removes nulls and empty containers, which the types do not distinguish from missing ones; converts numbers to floats.
fn comparable(value: Value) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    };
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(comparable).collect(),
        Value::Object(object) => {
            let object = object
                .into_iter()
                .map(|(name, value)| (name, comparable(value)));
            Value::Object(object.filter(|(_, value)| !is_empty(value)).collect())
        }
        other => other,
    }
}
