//! Differences between a value and its schema, as a response drifts from the document: another type, an undocumented property or enum
//! value, another format. Nulls and absent members are no difference.

use openapi_document::pointer;
use openapi_document::resolver::Target;
use openapi_schemas::composed;
use serde_json::Value;

/// The depth of the comparison.
const DEEPEST: usize = 64;

/// Lists the differences, each with its place in the value. `document` is in the one vocabulary of schemas.
pub(super) fn differences(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let place = Place {
        document,
        at: "",
        depth: 0,
    };
    place.differences(&[schema], &[], value)
}

/// A place in a value.
#[derive(Clone, Copy)]
struct Place<'p, 'd> {
    document: &'d Value,
    at: &'p str,
    depth: usize,
}

impl<'d> Place<'_, 'd> {
    /// The differences from schemas that hold together. Of those in `chosen`, an alternative is among them.
    fn differences(
        self,
        schemas: &[&'d Value],
        chosen: &[&'d Value],
        value: &Value,
    ) -> Vec<String> {
        if value.is_null() || self.depth > DEEPEST {
            return Vec::new();
        }
        let all = parts(self.document, schemas);
        let choice = all.iter().find_map(|schema| {
            let list = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
            let is_chosen = chosen.iter().any(|one| std::ptr::eq(*one, *schema));
            list.as_array()
                .filter(|_| !is_chosen)
                .map(|list| (*schema, list))
        });
        if let Some((schema, list)) = choice {
            let chosen = [chosen, &[schema]].concat();
            let misfits = list.iter().map(|alternative| {
                let own = parts(self.document, &[alternative]);
                // Keywords beside the alternatives hold for each.
                let with = [&[alternative], all.as_slice()].concat();
                let depth = self.depth + 1;
                let misfits = Self { depth, ..self }.differences(&with, &chosen, value);
                (other_type(&own, value).is_some(), misfits)
            });
            // An alternative of the value's type is meant before one of another type.
            let best = misfits.min_by_key(|(is_other, misfits)| (*is_other, misfits.len()));
            return best.map(|(_, misfits)| misfits).unwrap_or_default();
        }
        let place = match self.at {
            "" => "the value",
            at => at,
        };
        // A type of the runtime accepts more than the document.
        let is_loose = all.iter().any(|schema| schema.get("x-rust-type").is_some());
        if let Some(ty) = other_type(&all, value).filter(|_| !is_loose) {
            return vec![format!("{place} is not of type {ty}")];
        }
        match value {
            Value::String(text) => {
                let wrong = all
                    .iter()
                    .filter_map(|schema| text_differs(schema, text, is_loose));
                wrong
                    .map(|what| format!("{place}: `{text}` is {what}"))
                    .collect()
            }
            Value::Array(items) => {
                let inside: Vec<&Value> = all.iter().filter_map(|one| one.get("items")).collect();
                let items = items.iter().enumerate();
                let found =
                    items.flat_map(|(index, item)| self.below(&index.to_string(), &inside, item));
                found.collect()
            }
            Value::Object(map) => {
                let found = map
                    .iter()
                    .flat_map(|(name, value)| match self.member(&all, name) {
                        Some(inside) => self.below(name, &inside, value),
                        None => vec![format!(
                            "{} is an undocumented property",
                            pointer::join(self.at, name)
                        )],
                    });
                found.collect()
            }
            _ => Vec::new(),
        }
    }

    fn below(self, token: &str, schemas: &[&'d Value], value: &Value) -> Vec<String> {
        let place = Place {
            document: self.document,
            at: &pointer::join(self.at, token),
            depth: self.depth + 1,
        };
        place.differences(schemas, &[], value)
    }

    /// Returns the schemas of a member, under any of its names. `None` if the document has no such property.
    fn member(self, all: &[&'d Value], name: &str) -> Option<Vec<&'d Value>> {
        let maps = all
            .iter()
            .filter_map(|schema| schema.get("properties")?.as_object());
        let properties: Vec<(&String, &Value)> = maps.flatten().collect();
        let with = |is_it: &dyn Fn(&String, &Value) -> bool| -> Vec<&Value> {
            let found = properties
                .iter()
                .filter(|(known, schema)| is_it(known, schema));
            found.map(|(_, schema)| *schema).collect()
        };
        let is_alias = |_: &String, schema: &Value| {
            parts(self.document, &[schema]).iter().any(|schema| {
                let aliases = schema.get("x-aliases").and_then(Value::as_array);
                aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
            })
        };
        let mut found = with(&|known, _| known == name);
        if found.is_empty() {
            found = with(&is_alias);
        }
        let others = all
            .iter()
            .filter_map(|schema| schema.get("additionalProperties"));
        let others: Vec<&Value> = others
            .filter(|others| **others != Value::Bool(false))
            .collect();
        // The properties of such an object are unknown.
        match found.is_empty() {
            false => Some(found),
            true => (properties.is_empty() || !others.is_empty()).then_some(others),
        }
    }
}

/// The schemas with all that they refer to and are composed of.
fn parts<'d>(document: &'d Value, schemas: &[&'d Value]) -> Vec<&'d Value> {
    let from = schemas.iter().map(|value| Target {
        pointer: String::new(),
        value,
    });
    let all = composed(document, from, &["allOf"]);
    all.into_iter().map(|one| one.value).collect()
}

/// A type that schemas name and that the value is not of.
fn other_type<'d>(schemas: &[&'d Value], value: &Value) -> Option<&'d str> {
    let mut types = schemas
        .iter()
        .filter_map(|schema| schema.get("type")?.as_str());
    types.find(|ty| !is_of(ty, value))
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

/// Returns the reason why the schema refuses a string.
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

/// Returns whether a string has a form: `0` stands for a digit, `x` for a hexadecimal one.
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
            ["the value is not of type string"]
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
            (json!([]), vec!["the value is not of type object"]),
            (json!({"id": "1"}), vec!["/id: `1` is no uuid"]),
            (
                json!({"list": [{"kind": "y"}]}),
                vec!["/list/0/kind: `y` is an undocumented enum value"],
            ),
            (
                json!({"either": {"a": 1}}),
                vec!["/either/a is an undocumented property"],
            ),
            (
                json!({"map": {"a": 1.5}}),
                vec!["/map/a is not of type integer"],
            ),
            (
                json!({"href": 1, "url": 1}),
                vec![
                    "/href is an undocumented property",
                    "/url is not of type string",
                ],
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
