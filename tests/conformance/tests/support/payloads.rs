//! Payloads compared by their meaning.

use serde_json::{Value, json};

/// Normalizes a value, so that equivalent values are equal: `4` and `4.0`, and a field that is null, absent or the default of
/// its type.
pub(crate) fn essence(value: &Value) -> Value {
    let says_something = |value: &Value| {
        !(value.is_null()
            || [json!([]), json!({}), json!(""), json!(0.0), json!(false)].contains(value))
    };
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(elements) => elements.iter().map(essence).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), essence(value)))
            .filter(|(_, value)| says_something(value))
            .collect(),
        _ => value.clone(),
    }
}
