//! Values made up from their schemas, where sample data are missing. The same schema, name and number always give the same value.

use serde_json::{Map, Value};

use crate::data::{calendar, hash, uuid};
use crate::document::Document;

/// Number of elements of a list. The third is null if it is nullable.
pub(crate) const ELEMENTS: usize = 3;
/// Maximum depth of nested schemas, which may be recursive; deeper ones get no value.
const DEEPEST: usize = 12;

/// Makes up a value of a schema. Strings contain `name`, and `number` distinguishes the elements of a list.
pub(crate) fn value(document: &Document, schema: &Value, name: &str, number: usize) -> Value {
    Maker { document }.value(schema, name, number, 0)
}

struct Maker<'a> {
    document: &'a Document,
}

impl Maker<'_> {
    fn value(&self, schema: &Value, name: &str, number: usize, depth: usize) -> Value {
        let resolved = self.document.resolve(schema);
        let is_nullable = [schema, resolved]
            .iter()
            .any(|schema| schema.get("nullable") == Some(&Value::Bool(true)));
        if depth > DEEPEST || is_nullable && number % ELEMENTS == ELEMENTS - 1 {
            return Value::Null;
        }
        for given in [schema, resolved] {
            let enum_values = given.get("enum").and_then(Value::as_array);
            let chosen = enum_values.and_then(|all| all.get(number.checked_rem(all.len())?));
            let example = given.get("example").or_else(|| given.get("default"));
            if let Some(value) = chosen.or(example.filter(|_| given.get("properties").is_none())) {
                return value.clone();
            }
        }
        if let Some(parts) = resolved.get("allOf").and_then(Value::as_array) {
            return self.all_of(parts, name, number, depth);
        }
        for choice in ["oneOf", "anyOf"] {
            let first = resolved.get(choice).and_then(|all| all.get(0));
            if let Some(first) = first {
                return self.value(first, name, number, depth + 1);
            }
        }
        match resolved.get("type").and_then(Value::as_str) {
            Some("string") => text(resolved, name, number).into(),
            Some("integer") => within(resolved, number as f64 + 1.0, f64::ceil).into(),
            Some("number") => bounded(resolved, number as f64 + 0.5).into(),
            Some("boolean") => number.is_multiple_of(2).into(),
            Some("array") => self.list(resolved, name, number, depth),
            Some("object") => self.object(resolved, name, number, depth).into(),
            _ if resolved.get("properties").is_some() => {
                self.object(resolved, name, number, depth).into()
            }
            _ => format!("made up {name} {number}").into(),
        }
    }

    /// Merges objects; of other parts, the first one decides.
    fn all_of(&self, parts: &[Value], name: &str, number: usize, depth: usize) -> Value {
        let mut joined = Map::new();
        let mut first = None;
        for part in parts {
            match self.value(part, name, number, depth + 1) {
                Value::Object(object) => joined.extend(object),
                other => first = first.or(Some(other)),
            }
        }
        match first {
            Some(first) if joined.is_empty() => first,
            _ => joined.into(),
        }
    }

    fn list(&self, schema: &Value, name: &str, number: usize, depth: usize) -> Value {
        let items = schema.get("items").unwrap_or(&Value::Null);
        let size = |keyword, other| {
            let size = schema.get(keyword).and_then(Value::as_u64);
            size.and_then(|size| usize::try_from(size).ok())
                .unwrap_or(other)
        };
        let count = ELEMENTS
            .max(size("minItems", 0))
            .min(size("maxItems", usize::MAX));
        (0..count)
            .map(|index| self.value(items, name, number + index, depth + 1))
            .collect()
    }

    fn object(
        &self,
        schema: &Value,
        name: &str,
        number: usize,
        depth: usize,
    ) -> Map<String, Value> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut object: Map<String, Value> = properties
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.clone(), self.value(schema, name, number, depth + 1)))
            .collect();
        if let Some(others @ Value::Object(_)) = schema.get("additionalProperties") {
            let value = self.value(others, name, number, depth + 1);
            object.insert("made_up".to_owned(), value);
        }
        object
    }
}

fn text(schema: &Value, name: &str, number: usize) -> String {
    let day = calendar::day(u64::try_from(number).unwrap_or_default() * 7);
    let text = match schema.get("format").and_then(Value::as_str) {
        Some("date") => day,
        Some("date-time") => format!("{day}T12:00:00Z"),
        Some("uuid") => uuid(hash(&format!("{name} {number}"))),
        Some("uri" | "url") => format!("https://made-up.example/{name}/{number}"),
        Some("email") => format!("made-up-{number}@made-up.example"),
        _ => format!("made up {name} {number}"),
    };
    let length = |keyword| {
        let length = schema.get(keyword).and_then(Value::as_u64);
        length.and_then(|length| usize::try_from(length).ok())
    };
    let least = length("minLength").unwrap_or_default();
    let most = length("maxLength").unwrap_or(usize::MAX);
    let filled = text.chars().chain(std::iter::repeat('.'));
    filled
        .take(text.chars().count().max(least).min(most))
        .collect()
}

/// Returns the nearest number within the bounds of a schema.
fn bounded(schema: &Value, number: f64) -> f64 {
    let bound = |keyword| schema.get(keyword).and_then(Value::as_f64);
    let number = number.max(bound("minimum").unwrap_or(number));
    number.min(bound("maximum").unwrap_or(number))
}

/// Returns the nearest integer within the bounds of a schema.
fn within(schema: &Value, number: f64, round: fn(f64) -> f64) -> i64 {
    // The cast saturates beyond the range of `i64`.
    round(bounded(schema, number)) as i64
}
