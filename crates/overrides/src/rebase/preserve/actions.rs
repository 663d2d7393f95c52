//! Writes actions for many locations, with the fewest targets.

use serde_json::Value;

use crate::rebase::query::queries;

/// Returns the actions with the same effect at each of these locations. `end` follows each target, and `effect` is below it.
pub(super) fn actions<'p>(
    root: &Value,
    places: impl IntoIterator<Item = &'p String>,
    end: &str,
    effect: &str,
) -> Vec<String> {
    let places: Vec<String> = places.into_iter().cloned().collect();
    let all = queries(root, &places).into_iter();
    all.map(|(target, _)| format!("  - target: {}\n{effect}", Value::String(target + end)))
        .collect()
}
