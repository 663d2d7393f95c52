//! Payloads compared by what they say.

use serde_json::{Value, json};

/// What two values have in common that say the same: `4` is `4.0`, and a field may be null, absent, or what stands for it then: the default
/// of a type.
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
