//! Compares received requests with the arguments of the caller.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::document::Operation;
use crate::request::is_json;
use crate::requests::on_the_wire;
use crate::schema::same;
use crate::{Document, Given, Received};

/// Returns the first difference between the arguments and the received request.
pub(crate) fn difference(
    document: &Document,
    operation: &Operation<'_>,
    given: &Given,
    received: &Received,
) -> Option<String> {
    if received.operation != operation.id {
        return Some(format!("arrives at `{}`", received.operation));
    }
    for (at, meant) in &given.parameters {
        let arrived = received.parameters.get(at);
        let is_same = arrived.is_some_and(|arrived| same_text(meant, arrived));
        if !is_same {
            let arrived = arrived.map_or_else(|| "nothing".to_owned(), Value::to_string);
            return Some(format!(
                "{} `{}`: {arrived} arrives for {meant}",
                at.0, at.1
            ));
        }
    }
    if let Some(((place, name), value)) = received.parameters.iter().find(|((place, name), _)| {
        // A client makes a key of its own.
        let is_key = place == "header" && name.eq_ignore_ascii_case("idempotency-key");
        !is_key
            && !given
                .parameters
                .contains_key(&(place.clone(), name.clone()))
    }) {
        return Some(format!("{place} `{name}`: {value} arrives for nothing"));
    }
    let (media_type, meant) = match &given.body {
        Some((media_type, meant)) => (media_type, meant),
        None if received.body.is_null() => return None,
        None => return Some(format!("the body {} arrives for none", received.body)),
    };
    let declared = operation
        .value
        .get("requestBody")
        .map(|body| document.meant(body));
    let is_optional = declared.is_some_and(|body| body.get("required") != Some(&json!(true)));
    // An optional body without members may be omitted.
    if is_optional && received.media_type.is_none() && on_the_wire(meant).is_none() {
        return None;
    }
    let arrived_as = received.media_type.as_deref().unwrap_or_default();
    let named = media_type.split(';').next().unwrap_or_default().trim();
    if !arrived_as.eq_ignore_ascii_case(named) {
        return Some(format!("`{arrived_as}` arrives for `{media_type}`"));
    }
    let is_same = match named {
        named if is_json(named) => same(meant, &received.body),
        "application/x-www-form-urlencoded" => same_text(meant, &received.body),
        "multipart/form-data" => same_parts(meant, &received.body),
        _ => *meant == received.body,
    };
    (!is_same).then(|| format!("the body {} arrives for {meant}", received.body))
}

/// Returns whether strings equal the arguments: a number in any notation, and a list of one element also by itself.
fn same_text(meant: &Value, arrived: &Value) -> bool {
    match (meant, arrived) {
        (Value::String(meant), Value::String(arrived)) => meant == arrived,
        (Value::Number(meant), Value::String(arrived)) => {
            let arrived: Option<f64> = arrived.parse().ok();
            arrived.is_some() && arrived == meant.as_f64()
        }
        (Value::Bool(meant), Value::String(arrived)) => meant.to_string() == *arrived,
        (Value::Array(meant), Value::Array(arrived)) => {
            let mut pairs = meant.iter().zip(arrived);
            meant.len() == arrived.len() && pairs.all(|(meant, arrived)| same_text(meant, arrived))
        }
        (Value::Array(meant), one) => {
            meant.len() == 1 && meant.iter().all(|meant| same_text(meant, one))
        }
        (one, Value::Array(arrived)) => {
            arrived.len() == 1 && arrived.iter().all(|arrived| same_text(one, arrived))
        }
        (Value::Object(meant), Value::Object(arrived)) => {
            meant.len() == arrived.len()
                && meant.iter().all(|(name, meant)| {
                    arrived
                        .get(name)
                        .is_some_and(|arrived| same_text(meant, arrived))
                })
        }
        (meant, arrived) => same(meant, arrived),
    }
}

/// Returns whether the parts of a form equal the arguments: a part for each element of a list, or one part of JSON.
fn same_parts(meant: &Value, arrived: &Value) -> bool {
    let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for part in arrived.as_array().into_iter().flatten() {
        let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
        by_name.entry(text("name")).or_default().push(text("text"));
    }
    let meant = meant.as_object();
    let is_text = |meant: &Value, text: &str| match meant {
        Value::Object(_) | Value::Array(_) => {
            serde_json::from_str(text).is_ok_and(|arrived| same(meant, &arrived))
        }
        scalar => same_text(scalar, &json!(text)),
    };
    let is_same = |(name, meant): (&String, &Value)| {
        let texts = by_name
            .get(name.as_str())
            .map(Vec::as_slice)
            .unwrap_or_default();
        match (meant, texts) {
            (Value::Array(all), texts)
                if all.len() == texts.len()
                    && all.iter().zip(texts).all(|(one, text)| is_text(one, text)) =>
            {
                true
            }
            (meant, [text]) => is_text(meant, text),
            _ => false,
        }
    };
    meant.is_some_and(|meant| meant.len() == by_name.len() && meant.iter().all(is_same))
}
