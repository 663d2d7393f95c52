//! The responses of an operation, decoded as by a client and serialized again.

use serde_json::{Map, Value, json};

use crate::document::Operation;
use crate::request::is_json;
use crate::requests::{RANDOM, STATES};
use crate::schema::same;
use crate::schema::{sentence, violations};
use crate::{Call, Direction, Document, Row, Values, wire};

/// Decodes the documented examples of each response and the states of its schema, and serializes them again.
pub(crate) fn read<C>(
    document: &Document,
    call: &Call<C>,
    operation: &Operation<'_>,
    row: &mut Row,
) {
    let responses = operation.value.get("responses").and_then(Value::as_object);
    for (status, response) in responses.into_iter().flatten() {
        let is_success = status.starts_with('2');
        let exact = call.reads.iter().find(|(of, _)| of == status);
        let usual = call.reads.iter().find(|(of, _)| *of == "2XX" && is_success);
        let Some((_, again)) = exact.or(usual) else {
            continue;
        };
        let content = document
            .meant(response)
            .get("content")
            .and_then(Value::as_object);
        let json: Vec<_> = content
            .into_iter()
            .flatten()
            .filter(|(media_type, _)| is_json(media_type))
            .collect();
        // A status code has one type, that of its first media type.
        if let Some((media_type, _)) = json.get(1) {
            row.notes
                .push(format!("{status} `{media_type}` is not read"));
        }
        if let Some((media_type, media)) = json.first() {
            let Some(schema) = media.get("schema") else {
                continue;
            };
            let named = media.get("examples").and_then(Value::as_object);
            let named = named.into_iter().flat_map(Map::values);
            let named = named.filter_map(|example| document.meant(example).get("value"));
            let mut all: Vec<Value> = media
                .get("example")
                .into_iter()
                .chain(named)
                .cloned()
                .collect();
            all.extend(document.meant(schema).get("example").cloned());
            let is_object = wire::kind(document, schema, 8) == wire::Kind::Object;
            all.retain(|example| {
                let mut why = sentence(&violations(document, schema, example, ""));
                if is_object && !example.is_object() && !example.is_null() {
                    why = format!("it is no object: {example}");
                }
                if why.is_empty() {
                    return true;
                }
                let why: String = why.chars().take(160).collect();
                row.notes.push(format!(
                    "the example of {status} `{media_type}` contradicts its schema: {why}"
                ));
                false
            });
            let mut values = Values::new(document, Direction::Response);
            all.extend(values.states(schema).into_iter().take(STATES));
            all.extend(values.random(schema, RANDOM));
            for value in all {
                row.read += 1;
                let meant = known(&wire::declared(document, schema, &value, 12));
                let wrong = match again(&value) {
                    Ok(written) if same(&known(&written), &meant) => continue,
                    Ok(written) => format!("{} is written", known(&written)),
                    Err(error) => format!("it does not decode: {error}"),
                };
                row.changed += 1;
                row.defects
                    .push(format!("response {status} {meant}: {wrong}"));
            }
        }
    }
}

/// Removes nulls, empty lists and empty maps, which a decoded object does not distinguish from missing ones.
pub(crate) fn known(value: &Value) -> Value {
    match value {
        Value::Object(all) => {
            let all = all.iter().map(|(name, value)| (name.clone(), known(value)));
            all.filter(|(_, value)| !value.is_null() && *value != json!([]) && *value != json!({}))
                .collect()
        }
        Value::Array(all) => all.iter().map(known).collect(),
        other => other.clone(),
    }
}
