//! Finds the place in the document of a place in a response, by the schemas of the operation.

use std::collections::BTreeMap;

use openapi_document::finding::{Finding, near};
use openapi_document::keywords::COMPOSITIONS;
use openapi_document::pointer;
use openapi_document::program::command;
use openapi_document::resolver::{Target, resolve, target};
use openapi_schemas::{composed, operations};
use serde_json::Value;

use super::lines::{Kind, Line};

/// The location of a difference in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The pointer of the target: for a property, the schema that gets it; for an enum value, the enumeration; for a type,
    /// the schema of the value.
    pub(super) place: String,
    /// That schema.
    pub(super) schema: Value,
    /// A value that the document has there, if it has one.
    pub(super) documented: Option<Value>,
    /// The nearest component around it, and the steps from there to the value in a payload.
    pub(super) component: Option<(String, Vec<String>)>,
}

/// The reason why there is no such place.
pub(super) enum Problem {
    /// The document has no operation of this id.
    NoOperation(String, Option<String>),
    /// No response has a value at this place that could differ so.
    Nowhere,
    /// Responses of these operations have one, and it is not the same.
    Several(Vec<String>),
    /// The body as a whole.
    Body,
    /// The pointer was shortened when it was printed.
    Shortened,
}

impl Problem {
    pub(super) fn finding(self, name: &str, line: &Line) -> Finding {
        let pointer = &line.pointer;
        let (message, help) = match self {
            Self::NoOperation(id, near) => {
                let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
                (format!("the document has no operation `{id}`{near}"), "name it with `--operation`".to_owned())
            }
            Self::Nowhere => (
                format!("no documented response has a value at {pointer} that could differ in this way"),
                "name the operation with `--operation`; if the document was corrected since, the line is obsolete".to_owned(),
            ),
            Self::Several(operations) => (
                format!("several responses have {pointer}: those of {}", operations.join(", ")),
                "name the operation with `--operation`, or print lines with `{:#}`, which begin with it".to_owned(),
            ),
            Self::Body => (
                "the whole body differs from the documented one".to_owned(),
                format!("write the override with `{}`: its target is the schema of the response", command("overrides new")),
            ),
            Self::Shortened => (
                "the value or its place was shortened when it was printed".to_owned(),
                format!("write the override with `{}`", command("overrides new")),
            ),
        };
        Finding::about("drift", name, message, help)
    }
}

/// Finds the place of a line in the document after all overrides. Without an operation, all of them are tried.
pub(super) fn find(
    document: &Value,
    operation: Option<&str>,
    line: &Line,
) -> Result<Found, Problem> {
    if line.pointer.is_empty() {
        return Err(Problem::Body);
    }
    let is_cut = matches!(&line.kind, Kind::EnumValue(value) if value.ends_with('…'));
    if is_cut || line.pointer.contains('…') {
        return Err(Problem::Shortened);
    }
    let operations = responses(document);
    if let Some(id) = operation
        && !operations.contains_key(id)
    {
        let near = near(id, operations.keys().map(String::as_str)).map(str::to_owned);
        return Err(Problem::NoOperation(id.to_owned(), near));
    }
    let mut found: Vec<(String, Found)> = Vec::new();
    for (id, responses) in &operations {
        if operation.is_some_and(|wanted| wanted != id) {
            continue;
        }
        let places = responses
            .iter()
            .filter_map(|response| at(document, response, line));
        found.extend(places.map(|place| (id.clone(), place)));
    }
    let mut found = found.into_iter();
    let Some((first, place)) = found.next() else {
        return Err(Problem::Nowhere);
    };
    let others: Vec<String> = found
        .filter(|(_, other)| other.place != place.place)
        .map(|(id, _)| id)
        .collect();
    if others.is_empty() {
        return Ok(place);
    }
    Err(Problem::Several([vec![first], others].concat()))
}

/// The pointers of the schemas of success responses, by what callers know the operation by.
fn responses(document: &Value) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for operation in operations(document) {
        let name = |key: &str| operation.value.get(key).and_then(Value::as_str);
        let known = ["x-operation-id", "x-rust-name", "operationId"];
        let Some(id) = known.into_iter().find_map(name) else {
            continue;
        };
        let responses = operation.below("responses");
        let success = responses.filter(|one| {
            let status = pointer::split_last(&one.pointer).map(|(_, status)| status);
            status.is_some_and(|status| status.starts_with('2') || status == "default")
        });
        let success = success.filter_map(|one| resolve(document, &one.pointer));
        let schemas = success.flat_map(|(pointer, value)| {
            let content: Vec<_> = Target { pointer, value }.below("content").collect();
            content
                .into_iter()
                .map(|media| format!("{}/schema", media.pointer))
        });
        all.insert(id.to_owned(), schemas.collect());
    }
    all
}

/// Follows a line from the schema of a response; `None` if the schema has no such place.
fn at(document: &Value, schema: &str, line: &Line) -> Option<Found> {
    let mut steps: Vec<String> = pointer::tokens(&line.pointer).collect();
    let name = match &line.kind {
        Kind::Property(_) => steps.pop(),
        _ => None,
    };
    let mut place = schema.to_owned();
    let mut component = entered(document, &place, None);
    for step in steps {
        place = child(document, &place, &step)?;
        component
            .iter_mut()
            .for_each(|(_, steps)| steps.push(step.clone()));
        component = entered(document, &place, component);
    }
    let parts = parts(document, &place);
    let has = |key: &str| parts.iter().find(|(_, value)| value.get(key).is_some());
    let (place, value) = match &line.kind {
        Kind::Property(_) => {
            let name = name?;
            if child(document, &place, &name).is_some() {
                return None;
            }
            component
                .iter_mut()
                .for_each(|(_, steps)| steps.push(name.clone()));
            has("properties")?.clone()
        }
        Kind::EnumValue(value) => {
            let (place, schema) = has("enum")?.clone();
            let known = schema.get("enum").and_then(Value::as_array)?;
            if known.iter().any(|known| known == value) {
                return None;
            }
            (place, schema)
        }
        Kind::Missing | Kind::Null | Kind::Type { .. } | Kind::Alias { .. } => {
            let value = document.pointer(&place)?;
            (place, value)
        }
    };
    Some(Found {
        place,
        schema: value.clone(),
        documented: documented(&parts),
        component,
    })
}

/// Returns the documented value at the place of a schema.
pub(super) fn documented_at(document: &Value, place: &str) -> Option<Value> {
    documented(&parts(document, place))
}

/// Returns a value of a schema: an example, an enum value, or a string of its format.
fn documented(parts: &[(String, &Value)]) -> Option<Value> {
    parts.iter().find_map(|(_, schema)| {
        let listed = schema.get("enum").and_then(|values| values.get(0));
        if let Some(value) = schema.get("example").or(listed) {
            return Some(value.clone());
        }
        let text = match schema.get("format")?.as_str()? {
            "date" => "2025-01-02",
            "date-time" => "2025-01-02T03:04:05Z",
            "uuid" => "11111111-2222-4333-8444-555555555555",
            _ => return None,
        };
        Some(text.into())
    })
}

/// The component that a schema is or refers to, or else the one around it.
fn entered(
    document: &Value,
    place: &str,
    around: Option<(String, Vec<String>)>,
) -> Option<(String, Vec<String>)> {
    const COMPONENTS: &str = "/components/schemas/";
    let reference = document.pointer(place)?.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|reference| target(document, reference));
    let place = target.map_or_else(|| place.to_owned(), |target| target.pointer);
    match place.strip_prefix(COMPONENTS) {
        Some(name) if !name.contains('/') => Some((pointer::unescape(name), Vec::new())),
        _ => around,
    }
}

/// The schema of a member or an element.
fn child(document: &Value, place: &str, step: &str) -> Option<String> {
    let parts = parts(document, place);
    let named = |(at, value): &(String, &Value)| {
        let properties = value.get("properties")?.as_object()?;
        let is_alias = |schema: &Value| {
            let aliases = schema.get("x-aliases").and_then(Value::as_array);
            aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == step))
        };
        let mut aliased = properties.iter().filter(|(_, schema)| is_alias(schema));
        let name = match properties.contains_key(step) {
            true => step,
            false => aliased.next()?.0,
        };
        Some(pointer::join(&format!("{at}/properties"), name))
    };
    let other = |(at, value): &(String, &Value)| {
        let key =
            match step.bytes().all(|byte| byte.is_ascii_digit()) && value.get("items").is_some() {
                true => "items",
                false => "additionalProperties",
            };
        value.get(key)?.is_object().then(|| format!("{at}/{key}"))
    };
    parts
        .iter()
        .find_map(named)
        .or_else(|| parts.iter().find_map(other))
}

/// A schema with all that it refers to, is composed of or may be, by their places.
fn parts<'d>(document: &'d Value, place: &str) -> Vec<(String, &'d Value)> {
    let from = document.pointer(place).map(|value| Target {
        pointer: place.to_owned(),
        value,
    });
    let all = composed(document, from, &COMPOSITIONS);
    all.into_iter()
        .map(|one| (one.pointer, one.value))
        .collect()
}
