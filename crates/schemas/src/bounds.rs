//! Bounds of numbers, as one number each.

use serde_json::{Map, Value};

/// Rewrites all bounds as numbers. Returns descriptions of the losses.
pub(super) fn plain(map: &mut Map<String, Value>) -> Vec<String> {
    let mut lost = Vec::new();
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
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
