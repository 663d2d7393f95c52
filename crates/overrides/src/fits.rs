//! Where a value differs from its schema, in the way in which a response drifts from the document: another type, an undocumented property or
//! enum value, another format. Nulls and what is left out are no difference.

use openapi_document::pointer;
use openapi_document::resolver::referred;
use serde_json::{Map, Value};

/// References that are followed one after the other.
const FOLLOWED: usize = 32;
/// Levels below which nothing is looked at.
const DEEPEST: usize = 64;

/// Lists the differences, each with its place in the value. `document` is in the one vocabulary of schemas.
pub(super) fn differences(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(document, (&[schema], &[]), value, "", 0, &mut found);
    found
}

/// Schemas that hold together, and those among them of which an alternative was chosen already.
type Schemas<'a, 'd> = (&'a [&'d Value], &'a [&'d Value]);

fn walk(
    document: &Value,
    (schemas, chosen): Schemas<'_, '_>,
    value: &Value,
    at: &str,
    depth: usize,
    found: &mut Vec<String>,
) {
    if value.is_null() || depth > DEEPEST {
        return;
    }
    let all = parts(document, schemas);
    let is_chosen = |schema: &&&Value| chosen.iter().any(|one| std::ptr::eq(*one, **schema));
    for schema in all.iter().filter(|schema| !is_chosen(schema)) {
        for key in ["anyOf", "oneOf"] {
            let Some(alternatives) = schema.get(key).and_then(Value::as_array) else {
                continue;
            };
            // An alternative of the value's type is meant before one of another type.
            let mut best: Option<(bool, Vec<String>)> = None;
            for alternative in alternatives {
                let mut misfits = Vec::new();
                // What stands beside the alternatives holds for each.
                let with = [&[alternative], all.as_slice()].concat();
                let chosen = [chosen, &[*schema]].concat();
                walk(
                    document,
                    (&with, &chosen),
                    value,
                    at,
                    depth + 1,
                    &mut misfits,
                );
                let of_type = parts(document, &[alternative]);
                let is_other = !of_type.iter().all(|schema| is_of_type(schema, value));
                let is_better = |(other, known): &(bool, Vec<String>)| {
                    (is_other, misfits.len()) < (*other, known.len())
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some((is_other, misfits));
                }
            }
            found.extend(best.into_iter().flat_map(|(_, misfits)| misfits));
            return;
        }
    }
    let place = if at.is_empty() { "the value" } else { at };
    let is_loose = all.iter().any(|schema| schema.get("x-rust-type").is_some());
    let types = all.iter().filter_map(|schema| schema.get("type")?.as_str());
    for ty in types.filter(|_| !is_loose) {
        if !is_of(ty, value) {
            found.push(format!("{place} is no {ty}"));
            return;
        }
    }
    if let Value::String(text) = value {
        found.extend(all.iter().filter_map(|schema| {
            let what = text_differs(schema, text, is_loose)?;
            Some(format!("{place}: `{text}` is {what}"))
        }));
    }
    match value {
        Value::Object(map) => members(document, &all, map, at, depth, found),
        Value::Array(items) => {
            let inside: Vec<&Value> = all
                .iter()
                .filter_map(|schema| schema.get("items"))
                .collect();
            for (index, item) in items.iter().enumerate().filter(|_| !inside.is_empty()) {
                walk(
                    document,
                    (&inside, &[]),
                    item,
                    &format!("{at}/{index}"),
                    depth + 1,
                    found,
                );
            }
        }
        _ => {}
    }
}

fn members(
    document: &Value,
    all: &[&Value],
    map: &Map<String, Value>,
    at: &str,
    depth: usize,
    found: &mut Vec<String>,
) {
    let properties = || {
        let maps = all
            .iter()
            .filter_map(|schema| schema.get("properties")?.as_object());
        maps.flatten()
    };
    let others: Vec<&Value> = all
        .iter()
        .filter_map(|schema| schema.get("additionalProperties"))
        .filter(|others| **others != Value::Bool(false))
        .collect();
    // Of an object without properties nothing is known.
    let is_open = properties().next().is_none() || !others.is_empty();
    for (name, value) in map {
        let place = pointer::join(at, name);
        let is_alias = |schema: &Value| {
            let aliases = parts(document, &[schema]);
            aliases.iter().any(|schema| {
                let aliases = schema.get("x-aliases").and_then(Value::as_array);
                aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
            })
        };
        let own: Vec<&Value> = properties()
            .filter(|(known, _)| *known == name)
            .map(|(_, schema)| schema)
            .collect();
        let inside = match own.is_empty() {
            false => own,
            true => properties()
                .filter(|(_, schema)| is_alias(schema))
                .map(|(_, schema)| schema)
                .collect(),
        };
        if !inside.is_empty() {
            walk(document, (&inside, &[]), value, &place, depth + 1, found);
        } else if !is_open {
            found.push(format!("{place} is an undocumented property"));
        } else {
            let schemas: Vec<&Value> = others
                .iter()
                .copied()
                .filter(|other| other.is_object())
                .collect();
            walk(document, (&schemas, &[]), value, &place, depth + 1, found);
        }
    }
}

/// The schemas with all that they refer to and are composed of.
fn parts<'d>(document: &'d Value, schemas: &[&'d Value]) -> Vec<&'d Value> {
    let mut all: Vec<&Value> = Vec::new();
    let mut waiting: Vec<(&Value, usize)> = schemas.iter().map(|schema| (*schema, 0)).collect();
    while let Some((schema, steps)) = waiting.pop() {
        if steps > FOLLOWED || all.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        all.push(schema);
        waiting.extend(referred(document, schema).map(|target| (target, steps + 1)));
        let composed = schema.get("allOf").and_then(Value::as_array);
        waiting.extend(composed.into_iter().flatten().map(|part| (part, steps + 1)));
    }
    all
}

fn is_of_type(schema: &Value, value: &Value) -> bool {
    let ty = schema.get("type").and_then(Value::as_str);
    ty.is_none_or(|ty| is_of(ty, value))
}

fn is_of(ty: &str, value: &Value) -> bool {
    match ty {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

/// Why a text is not one that the schema has.
fn text_differs(schema: &Value, text: &str, is_loose: bool) -> Option<String> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let aliases = schema.get("x-aliases").and_then(Value::as_object);
        let mut spellings = aliases.into_iter().flat_map(|map| map.values());
        let is_spelling = |values: &Value| {
            let values = values.as_array();
            values.is_some_and(|values| values.iter().any(|value| value == text))
        };
        if !values.iter().any(|value| value == text) && !spellings.any(is_spelling) {
            return Some("an undocumented enum value".to_owned());
        }
    }
    let format = schema.get("format").and_then(Value::as_str)?;
    let matches = match format {
        _ if is_loose => true,
        "uuid" => has_form(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
        "date" => has_form(text, "0000-00-00"),
        // A zone is required.
        "date-time" => {
            let (day, time) = text.split_once(['T', 't', ' ']).unwrap_or((text, ""));
            has_form(day, "0000-00-00")
                && time.get(..8).is_some_and(|time| has_form(time, "00:00:00"))
                && (time.ends_with(['Z', 'z']) || time.contains(['+', '-']))
        }
        _ => true,
    };
    (!matches).then(|| format!("no {format}"))
}

/// Whether a text has a form: `0` stands for a digit, `x` for a hexadecimal one.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.chars().zip(form.chars()).all(|(c, form)| match form {
            '0' => c.is_ascii_digit(),
            'x' => c.is_ascii_hexdigit(),
            other => c == other,
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn alternatives_behind_a_reference_are_chosen_once() {
        let document = json!({"components": {"schemas": {
            "Open": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "string"}]},
        }}});
        let schema = json!({"$ref": "#/components/schemas/Open"});
        assert_eq!(differences(&document, &schema, &json!("y")), [""; 0]);
        assert_eq!(
            differences(&document, &schema, &json!(1)),
            ["the value is no string"]
        );
    }

    #[test]
    fn differences_are_those_that_a_response_would_show() {
        let document = json!({"components": {"schemas": {
            "A": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {
                "kind": {"type": "string", "enum": ["x"], "x-aliases": {"x": ["X"]}},
                "url": {"type": "string", "x-aliases": ["link"]},
                "list": {"type": "array", "items": {"$ref": "#/components/schemas/A"}},
                "either": {"oneOf": [{"type": "integer"}, {"$ref": "#/components/schemas/Base"}]},
                "loose": {"type": "string", "format": "date", "x-rust-type": "TextDate"},
                "free": {"type": "object"},
                "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            }}]},
            "Base": {"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}}},
        }}});
        let id = "11111111-2222-4333-8444-555555555555";
        for (value, expected) in [
            (
                json!({"id": id, "kind": "X", "link": "a", "free": {"a": 1}, "map": {"a": 1.0}}),
                vec![],
            ),
            (
                json!({"id": null, "loose": "soon", "either": 1, "list": [{"kind": "x"}]}),
                vec![],
            ),
            (json!([]), vec!["the value is no object"]),
            (json!({"id": "1"}), vec!["/id: `1` is no uuid"]),
            (
                json!({"list": [{"kind": "y"}]}),
                vec!["/list/0/kind: `y` is an undocumented enum value"],
            ),
            (
                json!({"either": {"a": 1}}),
                vec!["/either/a is an undocumented property"],
            ),
            (json!({"map": {"a": 1.5}}), vec!["/map/a is no integer"]),
            (
                json!({"href": 1, "url": 1}),
                vec!["/href is an undocumented property", "/url is no string"],
            ),
        ] {
            let schema = document.pointer("/components/schemas/A").unwrap();
            assert_eq!(differences(&document, schema, &value), expected, "{value}");
        }
        let circle = json!({"a": {"$ref": "#/a", "allOf": [{"$ref": "#/a"}]}});
        assert_eq!(
            differences(&circle, &circle["a"], &json!({"x": [1]})),
            [""; 0]
        );
    }

    #[test]
    fn formats_of_time_are_told_apart() {
        let check =
            |format: &str, text: &str| text_differs(&json!({"format": format}), text, false);
        for (format, text) in [
            ("date", "2025-01-02"),
            ("date-time", "2025-01-02T03:04:05Z"),
            ("date-time", "2025-01-02T03:04:05.6+01:00"),
            ("uri", "x"),
        ] {
            assert_eq!(check(format, text), None, "{text}");
        }
        for (format, text) in [
            ("date", "2025-01-02T03:04:05"),
            ("date-time", "2025-01-02"),
            ("date-time", "2025-01-02T03:04:05"),
            ("date", "é-01-02"),
        ] {
            assert!(check(format, text).is_some(), "{format} {text}");
        }
    }
}
