//! `type`: one string, or absent.

use openapi_document::keywords::Role::{Choice, Content, Part, Reference, Type, Values};
use openapi_document::keywords::{About, KEYWORDS, says};
use serde_json::{Map, Value, json};

/// Types of JSON values. `null` is a type only on its own.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Formats of numbers. All others are formats of strings.
const NUMBER_FORMATS: [&str; 12] = [
    "decimal", "double", "float", "int16", "int32", "int64", "int8", "uint", "uint16", "uint32",
    "uint64", "uint8",
];

/// Rewrites the type as one string, and several types as alternatives. Returns descriptions of the losses.
pub(super) fn plain(map: &mut Map<String, Value>) -> Vec<String> {
    if let Some(key) = choice_of_null(map) {
        map.shift_remove(key);
        map.shift_remove("nullable");
        map.insert("type".to_owned(), "null".into());
        return Vec::new();
    }
    let (mut names, mut lost) = match map.get("type") {
        None => (Vec::new(), Vec::new()),
        Some(Value::String(name)) if TYPES.contains(&name.as_str()) => {
            let name = name.clone();
            put_type(map, &name);
            return Vec::new();
        }
        Some(Value::String(name)) => {
            let name = name.to_ascii_lowercase();
            if let Some(format) = format_of(&name).filter(|_| !map.contains_key("format")) {
                map.insert("format".to_owned(), format.into());
            }
            known(&[Value::from(name)])
        }
        Some(Value::Array(list)) => known(list),
        Some(_) => (
            Vec::new(),
            vec!["`type` is not a type, and any value is accepted".to_owned()],
        ),
    };
    map.shift_remove("type");
    let is_nullable = names.iter().any(|name| name == "null");
    names.retain(|name| name != "null");
    // Several types are lost beside a choice, and a number may be whole.
    if has_restrictions(map) && names.iter().any(|name| name == "number") {
        names.retain(|name| name != "integer");
    }
    match names.as_slice() {
        [] if is_nullable => {
            map.insert("type".to_owned(), "null".into());
            return lost;
        }
        [] => infer(map),
        [one] => put_type(map, one),
        // All types together restrict nothing. Other keywords are more specific.
        all if is_any(all) || says(map, &[Values, Choice]) => {}
        several => alternatives(map, several),
    }
    if is_nullable {
        map.insert("nullable".to_owned(), true.into());
    }
    lost.dedup();
    lost
}

/// Writes the type. A number whose format is one of whole numbers is an integer.
fn put_type(map: &mut Map<String, Value>, name: &str) {
    let format = map.get("format").and_then(Value::as_str);
    let is_whole =
        format.is_some_and(|format| NUMBER_FORMATS.contains(&format) && format.contains("int"));
    let name = if name == "number" && is_whole {
        "integer"
    } else {
        name
    };
    map.insert("type".to_owned(), name.into());
}

/// Returns the keyword whose alternatives are all null: no other value fits it, whatever the type beside it.
fn choice_of_null(map: &Map<String, Value>) -> Option<&'static str> {
    ["anyOf", "oneOf"].into_iter().find(|key| {
        let list = map.get(*key).and_then(Value::as_array);
        let list = list.map(Vec::as_slice).unwrap_or_default();
        let mut types = list
            .iter()
            .map(|one| one.get("type").and_then(Value::as_str));
        !list.is_empty() && types.all(|name| name == Some("null"))
    })
}

/// Returns whether the alternatives of a schema leave its type open: they restrict values of it.
fn has_restrictions(map: &Map<String, Value>) -> bool {
    let form = &[Reference, Type, Values, Part, Choice, Content];
    let alternatives = ["anyOf", "oneOf"]
        .into_iter()
        .filter_map(|key| map.get(key));
    let mut alternatives = alternatives.filter_map(Value::as_array).flatten();
    alternatives.any(|one| one.as_object().is_none_or(|one| !says(one, form)))
}

/// Returns the format that is written in place of the type.
fn format_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "date" => "date",
        "date-time" | "datetime" => "date-time",
        "file" => "binary",
        "int32" => "int32",
        "int64" | "long" => "int64",
        _ => return None,
    })
}

/// Returns the valid types, each once, and the invalid ones; a known misspelling counts as the intended type.
fn known(list: &[Value]) -> (Vec<String>, Vec<String>) {
    let (mut names, mut lost) = (Vec::new(), Vec::new());
    for value in list {
        let written = value.as_str().unwrap_or_default();
        let lower = written.to_ascii_lowercase();
        let name = match lower.as_str() {
            // YAML reads `null` without quotes as null.
            _ if value.is_null() => "null",
            name if TYPES.contains(&name) => name,
            "bool" => "boolean",
            "int" | "int32" | "int64" | "long" => "integer",
            "decimal" | "double" | "float" => "number",
            "file" | "date" | "datetime" | "date-time" | "text" => "string",
            "dict" | "map" => "object",
            "list" => "array",
            "any" => continue,
            _ => {
                lost.push(format!(
                    "`{written}` is not a type, and any value is accepted"
                ));
                continue;
            }
        };
        if !names.iter().any(|one| one == name) {
            names.push(name.to_owned());
        }
    }
    (names, lost)
}

/// Infers the type of a schema from its other keywords.
fn infer(map: &mut Map<String, Value>) {
    if map.contains_key("not") || says(map, &[Reference, Values, Part, Choice]) {
        return;
    }
    let mut keys = map.iter();
    if keys.any(|(key, value)| match key.as_str() {
        "properties" | "patternProperties" => true,
        "additionalProperties" => value.is_object(),
        _ => false,
    }) {
        map.insert("type".to_owned(), "object".into());
    } else if map.contains_key("items") || map.contains_key("prefixItems") {
        map.insert("type".to_owned(), "array".into());
    }
}

/// Returns whether the types are all that there are. An integer is a number.
fn is_any(names: &[String]) -> bool {
    let [has_integer, has_number] =
        ["integer", "number"].map(|wanted| names.iter().any(|name| name == wanted));
    names.len() - usize::from(has_integer && has_number) >= 5
}

/// Rewrites several types as `anyOf`, each with its keywords.
fn alternatives(map: &mut Map<String, Value>, names: &[String]) {
    let mut parts = Vec::new();
    for name in names {
        let mut part = Map::new();
        part.insert("type".to_owned(), name.as_str().into());
        for row in KEYWORDS.iter().filter(|row| Some(row.about) == about(name)) {
            if let Some(value) = map.get(row.name) {
                part.insert(row.name.to_owned(), value.clone());
            }
        }
        let format = map.get("format").and_then(Value::as_str);
        let is_for_number = format.is_some_and(|format| NUMBER_FORMATS.contains(&format));
        let takes = match name.as_str() {
            "integer" | "number" => is_for_number,
            "string" => !is_for_number,
            _ => false,
        };
        if let Some(format) = format.filter(|_| takes) {
            part.insert("format".to_owned(), format.into());
        }
        parts.push(Value::Object(part));
    }
    map.shift_remove("format");
    let moved: Vec<About> = names.iter().filter_map(|name| about(name)).collect();
    for row in KEYWORDS.iter().filter(|row| moved.contains(&row.about)) {
        map.shift_remove(row.name);
    }
    map.insert("anyOf".to_owned(), json!(parts));
}

/// Returns the values that the keywords of a type are about.
fn about(name: &str) -> Option<About> {
    match name {
        "string" => Some(About::String),
        "integer" | "number" => Some(About::Number),
        "array" => Some(About::Array),
        "object" => Some(About::Object),
        _ => None,
    }
}
