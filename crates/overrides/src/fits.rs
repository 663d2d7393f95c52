//! Differences between a value and its schema, as a response drifts from the document: another type, an undocumented property or enum
//! value, another format. Nulls and absent members are no difference.

use openapi_document::pointer;
use openapi_schemas::reading::{Document, Further, Reading, Site, parts, read, types};
use serde_json::Value;

/// The depth of the comparison.
const DEEPEST: usize = 64;

/// Maximum number of schemas that are read. A value is compared with each alternative, and with each of its alternatives: their number doubles with
/// every choice.
const MOST: usize = 50_000;

/// Lists the differences, each with its place in the value. `root` is a document in the one vocabulary of schemas.
pub(super) fn differences(root: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let place = Place {
        at: String::new(),
        depth: 0,
        schemas: vec![schema],
        chosen: Vec::new(),
    };
    let mut comparison = Comparison {
        document: Document::new(root),
        left: MOST,
    };
    place.differences(&mut comparison, value)
}

struct Comparison<'d> {
    document: Document<'d>,
    /// Number of schemas that may still be read.
    left: usize,
}

/// A place in a value.
struct Place<'d> {
    at: String,
    depth: usize,
    /// Schemas that hold together.
    schemas: Vec<&'d Value>,
    /// Lists of which an alternative is among the schemas.
    chosen: Vec<&'d Value>,
}

impl<'d> Place<'d> {
    fn differences(self, comparison: &mut Comparison<'d>, value: &Value) -> Vec<String> {
        if value.is_null() {
            return Vec::new();
        }
        let place = match self.at.as_str() {
            "" => "the value",
            at => at,
        };
        if self.depth > DEEPEST || comparison.left == 0 {
            return vec![format!("{place} is too much to compare")];
        }
        let document = &mut comparison.document;
        let reading = read(document, &Site::all(self.schemas.clone(), document.root));
        let count = reading.parts.len().max(1);
        comparison.left = comparison.left.saturating_sub(count);
        let is_open = |list: &Value| !self.chosen.iter().any(|one| std::ptr::eq(*one, list));
        if let Some(choice) = reading.choices.iter().find(|choice| is_open(choice.list)) {
            let misfits = choice.alternatives.iter().map(|alternative| {
                let own = read(&mut comparison.document, &Site::alternative(alternative));
                let is_other = own.first("type").is_some() && !is_of(&own, value);
                let misfits = self.with(alternative, choice.list);
                (is_other, misfits.differences(comparison, value))
            });
            // An alternative of the value's type is meant before one of another type.
            let best = misfits.min_by_key(|(is_other, misfits)| (*is_other, misfits.len()));
            return best.map(|(_, misfits)| misfits).unwrap_or_default();
        }
        // A type of the runtime accepts more than the document.
        let is_loose = all(&reading, "x-rust-type").next().is_some();
        if !is_loose && !is_of(&reading, value) {
            let names = types::names(reading.types);
            return vec![if names.is_empty() {
                format!("{place} is of no type that the schema allows")
            } else {
                format!("{place} is not of type {}", names.join(" or "))
            }];
        }
        match value {
            Value::String(text) => {
                let wrong = wrong_text(&reading, text, is_loose).into_iter();
                wrong
                    .map(|what| format!("{place}: `{text}` is {what}"))
                    .collect()
            }
            Value::Array(items) => {
                let schemas = reading.remaining("items").parts();
                let items = items.iter().enumerate();
                let found = items.flat_map(|(index, item)| {
                    let inside = self.below(&index.to_string(), schemas.clone());
                    inside.differences(comparison, item)
                });
                found.collect()
            }
            Value::Object(map) => {
                let found = map.iter().flat_map(|(name, value)| {
                    match member(&mut comparison.document, &reading, name) {
                        Some(schemas) => self.below(name, schemas).differences(comparison, value),
                        None => vec![format!(
                            "{} is an undocumented property",
                            pointer::join(&self.at, name)
                        )],
                    }
                });
                found.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the place with an alternative. Keywords beside the alternatives hold for each.
    fn with(&self, alternative: &'d Value, list: &'d Value) -> Self {
        Place {
            at: self.at.clone(),
            depth: self.depth + 1,
            schemas: [&[alternative], self.schemas.as_slice()].concat(),
            chosen: [self.chosen.as_slice(), &[list]].concat(),
        }
    }

    fn below(&self, token: &str, schemas: Vec<&'d Value>) -> Self {
        Place {
            at: pointer::join(&self.at, token),
            depth: self.depth + 1,
            schemas,
            chosen: Vec::new(),
        }
    }
}

/// Returns the schemas of a member, under any of its names. `None` if the document has no such property.
fn member<'d>(
    document: &mut Document<'d>,
    reading: &Reading<'d>,
    name: &str,
) -> Option<Vec<&'d Value>> {
    let mut members = reading.members();
    members.retain(|_, member| !member.parts.is_empty());
    if let Some(member) = members.remove(name) {
        return Some(member.parts);
    }
    let further = reading.further();
    let is_free =
        !matches!(further, Further::Closed(_)) && reading.first("additionalProperties").is_some();
    // The properties of an object without any are unknown.
    let is_free = is_free || members.is_empty();
    let described = members.into_values().flat_map(|member| member.parts);
    let aliased: Vec<&Value> = described
        .filter(|schema| has_alias(document, schema, name))
        .collect();
    if aliased.is_empty() {
        is_free.then(|| further.parts())
    } else {
        Some(aliased)
    }
}

fn has_alias<'d>(document: &mut Document<'d>, schema: &'d Value, name: &str) -> bool {
    let parts = parts(document, schema).into_iter();
    let mut lists = parts.filter_map(|part| part.get("x-aliases")?.as_array());
    lists.any(|aliases| aliases.iter().any(|alias| alias == name))
}

/// Returns whether a value is of one of the types of a schema.
fn is_of(reading: &Reading<'_>, value: &Value) -> bool {
    reading.types & (types::type_of(value) | types::UNKNOWN) != 0
}

/// Returns the values of a keyword, also beside the alternatives that are read as types or values.
fn all<'d>(reading: &Reading<'d>, keyword: &str) -> impl Iterator<Item = &'d Value> {
    let listed = reading.enum_values.iter().flatten();
    let about = reading.about.iter().copied();
    let about = about.chain(listed.filter_map(|one| one.about));
    let about = about.filter_map(move |schema| schema.get(keyword));
    reading.all(keyword).chain(about)
}

/// Returns the reason why a schema refuses a string.
fn wrong_text(reading: &Reading<'_>, text: &str, is_loose: bool) -> Option<String> {
    if let Some(values) = &reading.enum_values {
        let aliases = all(reading, "x-aliases").filter_map(Value::as_object);
        let spellings = aliases.flat_map(|map| map.values());
        let mut spellings = spellings.filter_map(Value::as_array).flatten();
        if !values.iter().any(|one| one.value == text) && !spellings.any(|one| one == text) {
            return Some("an undocumented enum value".to_owned());
        }
    }
    let mut formats = all(reading, "format").filter_map(Value::as_str);
    let wrong = formats.find(|format| !is_loose && !has_format(text, format))?;
    Some(format!("no {wrong}"))
}

fn has_format(text: &str, format: &str) -> bool {
    match format {
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
    }
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
    fn a_value_of_no_alternative_differs_beside_a_type_of_the_runtime() {
        let document = json!({});
        let schema = json!({"anyOf": [
            {"type": "string", "x-rust-type": "TextDate"},
            {"oneOf": [{"type": "integer"}, {"type": "boolean"}]},
        ]});
        assert_eq!(differences(&document, &schema, &json!("soon")), [""; 0]);
        assert_eq!(differences(&document, &schema, &json!(1)), [""; 0]);
        assert_eq!(
            differences(&document, &schema, &json!({})),
            ["the value is not of type boolean or integer"]
        );
    }

    #[test]
    fn nested_alternatives_and_deep_values_end_and_are_a_difference() {
        let mut schemas = serde_json::Map::new();
        for number in 0..40 {
            let refer = json!({"$ref": format!("#/S{}", number + 1)});
            let keyword = if number % 2 == 0 { "anyOf" } else { "oneOf" };
            let alternative = |name: &str| json!({"allOf": [refer], "required": [name]});
            let list = [alternative("a"), alternative("b")];
            schemas.insert(format!("S{number}"), json!({keyword: list}));
        }
        schemas.insert("S40".to_owned(), json!({"properties": {"a": {}}}));
        schemas.insert("List".to_owned(), json!({"items": {"$ref": "#/List"}}));
        let document = Value::Object(schemas);
        let found = differences(&document, &document["S0"], &json!({"b": 1}));
        assert_eq!(found, ["/b is an undocumented property"]);
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        let found = differences(&document, &document["List"], &deep);
        assert!(found[0].ends_with("/0/0 is too much to compare"));
    }

    #[test]
    fn formats_of_time_are_told_apart() {
        for (format, text) in [
            ("date", "2025-01-02"),
            ("date-time", "2025-01-02T03:04:05Z"),
            ("date-time", "2025-01-02T03:04:05.6+01:00"),
            ("uri", "x"),
        ] {
            assert!(has_format(text, format), "{text}");
        }
        for (format, text) in [
            ("date", "2025-01-02T03:04:05"),
            ("date-time", "2025-01-02"),
            ("date-time", "2025-01-02T03:04:05"),
            ("date", "é-01-02"),
        ] {
            assert!(!has_format(text, format), "{format} {text}");
        }
    }
}
