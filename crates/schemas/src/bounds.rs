//! Bounds of numbers, as one number each.

use serde_json::{Map, Value};

/// Rewrites all bounds as numbers. Returns descriptions of the losses.
pub(super) fn plain(map: &mut Map<String, Value>) -> Vec<String> {
    let mut lost = Vec::new();
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        for key in [bound, exclusive] {
            if let Some(number) = map.get(key).and_then(Value::as_str).map(number) {
                match number {
                    Some(number) => map.insert(key.to_owned(), number),
                    None => map.shift_remove(key),
                };
                if !map.contains_key(key) {
                    lost.push(format!(
                        "`{key}` is not a number in range, and is not checked"
                    ));
                }
            }
        }
        // In 3.0, this keyword excludes the bound itself.
        match map.get(exclusive) {
            Some(Value::Bool(true)) => {
                map.shift_remove(exclusive);
                if let Some(number) = map.shift_remove(bound) {
                    map.insert(exclusive.to_owned(), number);
                }
            }
            Some(Value::Bool(false)) => {
                map.shift_remove(exclusive);
            }
            _ => {}
        }
        for key in [bound, exclusive] {
            if map.get(key).is_some_and(|value| !value.is_number()) {
                map.shift_remove(key);
                lost.push(format!("`{key}` is not a number, and is not checked"));
            }
        }
    }
    lost
}

/// Parses a number that is written as a string.
fn number(text: &str) -> Option<Value> {
    let text = text.trim();
    let whole = text.parse::<i64>().ok().map(Value::from);
    let whole = whole.or_else(|| text.parse::<u64>().ok().map(Value::from));
    whole.or_else(|| {
        let number = text.parse::<f64>().ok()?;
        serde_json::Number::from_f64(number).map(Value::Number)
    })
}
