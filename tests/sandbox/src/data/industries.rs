//! Industry search: ranked by the share of common letter pairs (Dice's coefficient).

use serde::Deserialize;
use serde_json::{Value, json};

use crate::arguments::Arguments;

#[derive(Debug, Deserialize)]
pub(super) struct Industry {
    code: String,
    level: String,
    industry_name: String,
}

pub(super) fn body(industries: &[Industry], arguments: &Arguments) -> Value {
    let levels = arguments.texts("level");
    let query = arguments.text("query");
    let mut found: Vec<(u64, &Industry)> = industries
        .iter()
        .filter(|entry| levels.contains(&"all") || levels.contains(&entry.level.as_str()))
        .map(|entry| (similarity(query, &entry.industry_name), entry))
        .filter(|(similarity, _)| *similarity > 0)
        .collect();
    found.sort_by(|(a, x), (b, y)| b.cmp(a).then_with(|| x.code.cmp(&y.code)));
    let data: Vec<_> = found
        .into_iter()
        .map(|(similarity, entry)| {
            json!({
                "code": entry.code,
                "industry_name": entry.industry_name,
                "similarity": similarity as f64 / 10_000.0,
            })
        })
        .collect();
    json!({ "count": data.len(), "data": data })
}

/// Returns a similarity from 0 to 10,000, as an integer so that it sorts.
fn similarity(a: &str, b: &str) -> u64 {
    let (a, b) = (pairs(a), pairs(b));
    let mut rest = b.clone();
    let mut shared: u64 = 0;
    for pair in &a {
        if let Some(place) = rest.iter().position(|other| other == pair) {
            rest.swap_remove(place);
            shared += 1;
        }
    }
    let all = u64::try_from(a.len() + b.len()).unwrap_or(u64::MAX);
    20_000 * shared / all.max(1)
}

/// Returns the pairs of adjacent letters within words.
fn pairs(text: &str) -> Vec<(char, char)> {
    let text = text.to_lowercase();
    let words = text.split_whitespace();
    words
        .flat_map(|word| word.chars().zip(word.chars().skip(1)))
        .collect()
}
