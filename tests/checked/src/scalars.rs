//! Numbers and strings that a schema allows.

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Value, json};

/// Returns whether a schema has this type, alone or among others.
pub(crate) fn may_be(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(all)) => all.iter().any(|one| one == name),
        Some(one) => one == name,
        None => false,
    }
}

/// An integer that a float cannot hold: the next one that it holds is less by one.
pub(crate) const LONG: i64 = 9_007_199_254_740_993;

/// Returns numbers that a schema allows: without bounds a whole one too, and one of many digits if integers are named beside other numbers.
pub(crate) fn numbers(schema: &Value) -> Vec<Value> {
    const BOUNDS: [&str; 6] = [
        "minimum",
        "exclusiveMinimum",
        "maximum",
        "exclusiveMaximum",
        "multipleOf",
        "format",
    ];
    let mut all = Vec::from_iter(number(schema));
    if may_be(schema, "number") && !BOUNDS.iter().any(|key| schema.get(key).is_some()) {
        all.push(json!(7));
        all.extend(may_be(schema, "integer").then(|| json!(LONG)));
    }
    all
}

fn number(schema: &Value) -> Option<Value> {
    let is_whole = may_be(schema, "integer") && !may_be(schema, "number");
    if !is_whole && !may_be(schema, "number") {
        return None;
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let low = bound("minimum").or(bound("exclusiveMinimum"));
    let high = bound("maximum").or(bound("exclusiveMaximum"));
    let unit = bound("multipleOf").filter(|of| *of > 0.0);
    let usual = if is_whole { 7.0 } else { 1.5 };
    let fits =
        |number: f64| low.is_none_or(|low| number > low) && high.is_none_or(|high| number < high);
    let middle = match (low, high) {
        (Some(low), Some(high)) => (low + high) / 2.0,
        (Some(low), None) => low + 1.0,
        (None, Some(high)) => high - 1.0,
        (None, None) => usual,
    };
    let number = if fits(usual) { usual } else { middle };
    let number = unit.map_or(number, |unit| (number / unit).ceil().max(1.0) * unit);
    Some(if is_whole {
        json!(number.floor() as i64)
    } else {
        json!(number)
    })
}

/// Returns whether a schema allows any string.
pub(crate) fn is_free(schema: &Value) -> bool {
    [
        "format",
        "pattern",
        "minLength",
        "maxLength",
        "contentMediaType",
        "contentEncoding",
    ]
    .iter()
    .all(|key| schema.get(key).is_none())
}

pub(crate) fn texts(schema: &Value) -> Vec<Value> {
    let pattern = schema.get("pattern").and_then(Value::as_str);
    if let Some(text) = pattern.and_then(matching) {
        let examples = ["example", "default"]
            .into_iter()
            .filter_map(|key| schema.get(key).cloned());
        return [json!(text)].into_iter().chain(examples).collect();
    }
    let format = schema.get("format").and_then(Value::as_str);
    let text = match format {
        Some("date-time") => "2026-01-02T03:04:05Z",
        Some("date") => "2026-01-02",
        Some("uuid" | "uuid4") => "00000000-0000-4000-8000-000000000001",
        Some("uri" | "url") => "https://example.com/a",
        Some("email") => "a@example.com",
        Some("byte") => "YWI=",
        Some("decimal") => "1.50",
        _ => "a \"b\" \u{e4}",
    };
    let limit = |key: &str| schema.get(key).and_then(Value::as_u64);
    let mut text = text.to_owned();
    while limit("minLength").is_some_and(|least| (text.chars().count() as u64) < least) {
        text.push('z');
    }
    if let Some(most) = limit("maxLength") {
        text = text
            .chars()
            .take(usize::try_from(most).unwrap_or(usize::MAX))
            .collect();
    }
    let reserved = is_free(schema).then(|| json!("a,b;c=d&e/f?g|h+%20."));
    [json!(text)].into_iter().chain(reserved).collect()
}

/// Returns the shortest string that a pattern matches, if its syntax is known.
fn matching(pattern: &str) -> Option<String> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&hir, &mut text).then_some(text)
}

fn write(hir: &Hir, text: &mut String) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => {
            let literal = std::str::from_utf8(&literal.0);
            literal.map(|literal| text.push_str(literal)).is_ok()
        }
        HirKind::Class(Class::Unicode(class)) => {
            let preferred = ['a', 'A', '1', '-', ' '];
            let contains = |c: &char| {
                class
                    .iter()
                    .any(|range| (range.start()..=range.end()).contains(c))
            };
            let first = class.iter().next().map(|range| range.start());
            let found = preferred.into_iter().find(contains).or(first);
            found.map(|c| text.push(c)).is_some()
        }
        HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Repetition(repetition) => {
            let count = repetition.min.max(u32::from(repetition.max != Some(0)));
            (0..count).all(|_| write(&repetition.sub, text))
        }
        HirKind::Capture(capture) => write(&capture.sub, text),
        HirKind::Concat(parts) => parts.iter().all(|part| write(part, text)),
        HirKind::Alternation(parts) => parts.first().is_some_and(|part| write(part, text)),
    }
}
