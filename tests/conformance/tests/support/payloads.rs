//! Payloads compared by what they say.

use serde_json::{Value, json};

/// What two values have in common that say the same: `4` is `4.0`, and a field may be null, an empty list, or absent.
pub(crate) fn essence(value: &Value) -> Value {
    let says_something = |value: &Value| !(value.is_null() || *value == json!([]));
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(elements) => elements.iter().map(essence).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| says_something(value))
            .map(|(name, value)| (name.clone(), essence(value)))
            .collect(),
        _ => value.clone(),
    }
}
