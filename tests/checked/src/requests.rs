//! The requests of an operation: its parameters and bodies in all states that their place can express.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::document::Operation;
use crate::parameters::schema;
use crate::request::is_json;
use crate::schema::allows;
use crate::{Call, Direction, Document, Given, Row, Values};

/// Number of states of a body that are sent, and of random values.
pub(crate) const STATES: usize = 400;
pub(crate) const RANDOM: usize = 24;

/// Returns the requests of an operation: the states of its parameters, and those of its bodies.
pub(crate) fn requests<C>(
    document: &Document,
    call: &Call<C>,
    operation: &Operation<'_>,
    row: &mut Row,
) -> Vec<Given> {
    let mut values = Values::new(document, Direction::Request);
    let mut parameters: Vec<Argument> = Vec::new();
    for parameter in &operation.parameters {
        let text = |key: &str| {
            parameter
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let (place, name) = (text("in"), text("name"));
        if document.is_of_protocol(operation, &place, &name) {
            continue;
        }
        let (schema, is_json) = schema(parameter);
        let mut states = values.states(schema);
        states.extend(values.random(schema, RANDOM / 3));
        let states = states.into_iter().filter_map(|value| {
            let value = if is_json {
                Some(value)
            } else {
                on_the_wire(&value)
            }?;
            let is_sendable = (is_json || !is_nested(parameter, &value))
                && can_travel(&value, &place, reserved(parameter, &place, &value))
                && allows(document, schema, &value);
            is_sendable.then_some(value)
        });
        let is_required = place == "path" || parameter.get("required") == Some(&json!(true));
        let states = states.collect();
        let argument = Argument {
            at: (place, name),
            is_required,
            states,
        };
        if argument.states.is_empty() {
            row.notes.push(format!(
                "no value is made for the parameter `{}`",
                argument.at.1
            ));
            if is_required {
                return Vec::new();
            }
        }
        parameters.push(argument);
    }
    let bodies = bodies(document, call, operation, &mut values, row);
    let declared = operation
        .value
        .get("requestBody")
        .map(|body| document.meant(body));
    let is_required = declared.is_some_and(|body| body.get("required") == Some(&json!(true)));
    if is_required && bodies.is_empty() {
        row.notes.push("no body is made".to_owned());
        return Vec::new();
    }
    let body = bodies.first().filter(|_| is_required).cloned();
    let with = |parameters: BTreeMap<(String, String), Value>| Given {
        parameters,
        body: body.clone(),
    };
    let first = |is_wanted: &dyn Fn(&Argument) -> bool| -> BTreeMap<(String, String), Value> {
        let wanted = parameters.iter().filter(|one| is_wanted(one));
        wanted
            .filter_map(|one| Some((one.at.clone(), one.states.first()?.clone())))
            .collect()
    };
    let (whole, least) = (first(&|_| true), first(&|one| one.is_required));
    let mut all = vec![with(whole.clone()), with(least.clone())];
    for one in &parameters {
        if !one.is_required {
            let mut without = whole.clone();
            without.remove(&one.at);
            all.push(with(without));
        }
        for state in &one.states {
            let mut changed = whole.clone();
            changed.insert(one.at.clone(), state.clone());
            all.push(with(changed));
        }
    }
    let with_body = bodies.into_iter().map(|body| Given {
        parameters: least.clone(),
        body: Some(body),
    });
    all.extend(with_body);
    // An extension of ours: a limit that has no effect without another parameter.
    let paging = |key: &str| {
        operation
            .value
            .pointer(&format!("/x-pagination/{key}"))
            .and_then(Value::as_str)
    };
    let has = |given: &Given, key: &str| {
        paging(key).is_some_and(|name| {
            given
                .parameters
                .contains_key(&("query".to_owned(), name.to_owned()))
        })
    };
    if paging("requires").is_some() {
        all.retain(|given| has(given, "requires") || !has(given, "limit"));
    }
    let mut different: Vec<Given> = Vec::new();
    for given in all {
        if !different.contains(&given) {
            different.push(given);
        }
    }
    different
}

/// A parameter with its values.
struct Argument {
    at: (String, String),
    is_required: bool,
    states: Vec<Value>,
}

/// Returns a value without the parts that only JSON can express: null, and empty values.
pub(crate) fn on_the_wire(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Array(all) => {
            let all: Vec<Value> = all.iter().filter_map(on_the_wire).collect();
            (!all.is_empty()).then(|| all.into())
        }
        Value::Object(all) => {
            let all = all
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), on_the_wire(value)?)));
            let all: Map<String, Value> = all.collect();
            (!all.is_empty()).then(|| all.into())
        }
        scalar => Some(scalar.clone()),
    }
}

/// Returns whether a place can hold a value: no empty string in a path, only visible ASCII in a header, no `reserved` character.
fn can_travel(value: &Value, place: &str, reserved: &str) -> bool {
    match value {
        // This style cannot express a list inside of an object.
        Value::Array(all) if reserved == NESTED => all.is_empty(),
        Value::Array(all) => all.iter().all(|one| can_travel(one, place, reserved)),
        Value::Object(all) => all.values().all(|one| can_travel(one, place, reserved)),
        Value::String(text) => {
            let is_seen = text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
            !text.contains(|c| reserved.contains(c))
                && match place {
                    "path" => ![".", "..", ""].contains(&text.as_str()),
                    "header" => text.trim() == text && !text.is_empty() && is_seen,
                    _ => true,
                }
        }
        _ => true,
    }
}

/// Returns whether a value has parts with parts, which only the style `deepObject` can express.
fn is_nested(declared: &Value, value: &Value) -> bool {
    let is_nested = match value {
        Value::Array(all) => all.iter().any(has_parts),
        Value::Object(all) => all.values().any(has_parts),
        _ => false,
    };
    is_nested && declared.get("style").and_then(Value::as_str) != Some("deepObject")
}

fn has_parts(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// Marks the style `deepObject`, which excludes lists inside of an object.
const NESTED: &str = "\0";

/// Returns the characters that OpenAPI cannot encode in a value of this style: its separators, and `%` in a raw value.
fn reserved(declared: &Value, place: &str, value: &Value) -> &'static str {
    let is_flat = !value.is_array() && !value.is_object();
    let style = declared.get("style").and_then(Value::as_str);
    match (place, style) {
        _ if declared.get("allowReserved") == Some(&json!(true)) => "%+,",
        ("header", _) if !is_flat => ",=",
        (_, Some("deepObject")) if value.is_object() => NESTED,
        (_, Some("spaceDelimited")) => " ",
        (_, Some("pipeDelimited")) => "|",
        _ => "",
    }
}

/// Returns the bodies of an operation, each with its media type.
fn bodies<C>(
    document: &Document,
    call: &Call<C>,
    operation: &Operation<'_>,
    values: &mut Values<'_>,
    row: &mut Row,
) -> Vec<(String, Value)> {
    let declared = operation
        .value
        .get("requestBody")
        .map(|body| document.meant(body));
    let content = declared
        .and_then(|body| body.get("content"))
        .and_then(Value::as_object);
    let mut all = Vec::new();
    for media_type in call.media_types {
        let Some(media) = content.and_then(|content| content.get(*media_type)) else {
            row.notes
                .push(format!("the document has no `{media_type}`"));
            continue;
        };
        let any = json!({});
        let schema = media.get("schema").unwrap_or(&any);
        let is_form =
            ["application/x-www-form-urlencoded", "multipart/form-data"].contains(media_type);
        if !is_json(media_type) && !is_form {
            all.push(((*media_type).to_owned(), json!("as it is: \u{e4}")));
            continue;
        }
        let mut found = values.states(schema);
        if found.len() > STATES {
            row.notes.push(format!(
                "{STATES} of {} states of `{media_type}` are sent",
                found.len()
            ));
            found.truncate(STATES);
        }
        found.extend(values.random(schema, RANDOM));
        if is_form {
            let encodings = media.get("encoding").unwrap_or(&any);
            let is_sendable = |value: &Value| {
                let members = value.as_object();
                members.into_iter().flatten().all(|(name, value)| {
                    let encoding = encodings.get(name).unwrap_or(&any);
                    can_travel(value, "body", reserved(encoding, "body", value))
                })
            };
            let kept = found.iter().filter_map(on_the_wire).filter(is_sendable);
            found = kept
                .filter(|value| allows(document, schema, value))
                .collect();
        }
        all.extend(
            found
                .into_iter()
                .map(|value| ((*media_type).to_owned(), value)),
        );
    }
    all
}
