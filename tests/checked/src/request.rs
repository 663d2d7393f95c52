//! Reads a request by the document's description of its operation.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use serde_json::{Map, Value, json};

use crate::Document;
use crate::document::Operation;
use crate::parameters::parameters;
use crate::scalars::may_be;
use crate::schema::{Violation, sentence, violations};
use crate::wire::{self, Style};

/// The place of a body among the violations.
const BODY: &str = "body";

/// An accepted request.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// Documented operation of the request.
    pub operation: String,
    /// Parameters by place and name. Scalars are the raw strings, except in JSON.
    pub parameters: BTreeMap<(String, String), Value>,
    /// Media type, without parameters.
    pub media_type: Option<String>,
    /// JSON unchanged; a form as an object of strings; the parts of a multipart form as `{name, file, type, text}`, in order; other bytes
    /// as a string.
    pub body: Value,
}

/// Finds the operation of a request, and reads it.
///
/// # Errors
///
/// The rules of the document that the request breaks.
pub(crate) async fn received(
    document: &Document,
    head: &Parts,
    body: Bytes,
) -> Result<Received, String> {
    let method = head.method.as_str().to_ascii_lowercase();
    let query = wire::pairs(head.uri.query().unwrap_or_default(), "&");
    let (operation, captured) = document
        .operation(&method, head.uri.path(), &query)
        .ok_or_else(|| format!("no operation {method} {}", head.uri.path()))?;
    let received = read(document, &operation, &captured, head, body).await;
    received.map_err(|violations| sentence(&violations))
}

/// Reads a request of an operation, with the still encoded values that its path has for parameters.
///
/// # Errors
///
/// The rules of the document that the request breaks.
pub async fn read(
    document: &Document,
    operation: &Operation<'_>,
    captured: &[(String, String)],
    head: &Parts,
    body: Bytes,
) -> Result<Received, Vec<Violation>> {
    let mut broken = Vec::new();
    let parameters = parameters(document, operation, captured, head, &mut broken);
    let content_type = head.headers.get(header::CONTENT_TYPE);
    let body = read_body(document, operation.value, content_type, body).await;
    match body {
        Ok((media_type, body)) if broken.is_empty() => Ok(Received {
            operation: operation.id.clone(),
            parameters,
            media_type,
            body,
        }),
        body => {
            broken.extend(body.err().unwrap_or_default());
            Err(broken)
        }
    }
}

/// Returns whether a media type is JSON.
pub(crate) fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

/// Reads the media type and the body, if the operation takes them.
async fn read_body(
    document: &Document,
    operation: &Value,
    content_type: Option<&HeaderValue>,
    body: Bytes,
) -> Result<(Option<String>, Value), Vec<Violation>> {
    let declared = operation.get("requestBody");
    let declared = declared.map_or(&Value::Null, |body| document.meant(body));
    let is_required = declared.get("required") == Some(&json!(true));
    if content_type.is_none() && !is_required && body.is_empty() {
        return Ok((None, Value::Null));
    }
    let full = content_type.and_then(|value| value.to_str().ok());
    let full = full.unwrap_or_default();
    let essence = full.split(';').next().unwrap_or_default().trim().to_owned();
    let content = declared.get("content").and_then(Value::as_object);
    let is_it = |key: &str| {
        let key = key.split(';').next().unwrap_or_default().trim();
        let range = key
            .strip_suffix('*')
            .filter(|range| essence.starts_with(range));
        key.eq_ignore_ascii_case(&essence) || range.is_some()
    };
    let declared = content.into_iter().flatten().find(|(key, _)| is_it(key));
    let Some((_, declared)) = declared else {
        let types = content.into_iter().flat_map(Map::keys);
        let types: Vec<&str> = types.map(String::as_str).collect();
        return Err(refusal(match types.as_slice() {
            [] => "must be empty".to_owned(),
            types => format!("must be sent as {}", types.join(" or ")),
        }));
    };
    let any = json!({});
    let schema = declared.get("schema").unwrap_or(&any);
    let encodings = declared.get("encoding").unwrap_or(&any);
    let body = match essence.as_str() {
        media_type if is_json(media_type) => {
            let value = serde_json::from_slice(&body).map_err(|_| refusal("must be JSON"))?;
            checked(violations(document, schema, &value, BODY))?;
            value
        }
        "application/x-www-form-urlencoded"
            if document.flat(schema, 8).get("type") != Some(&json!("string")) =>
        {
            form(document, schema, encodings, &body)?
        }
        "multipart/form-data" => parts(document, schema, encodings, full, body).await?,
        _ => String::from_utf8_lossy(&body).into_owned().into(),
    };
    Ok((Some(essence), body))
}

fn refusal(rule: impl Into<String>) -> Vec<Violation> {
    vec![Violation::new(BODY, rule)]
}

fn checked(broken: Vec<Violation>) -> Result<(), Vec<Violation>> {
    if broken.is_empty() {
        return Ok(());
    }
    Err(broken)
}

/// Reads a form: properties without a style have a pair for each element, and JSON where they are nested.
fn form(
    document: &Document,
    schema: &Value,
    encodings: &Value,
    body: &[u8],
) -> Result<Value, Vec<Violation>> {
    let mut pairs = wire::pairs(&String::from_utf8_lossy(body), "&");
    let flat = document.flat(schema, 8);
    let properties = properties(document, schema);
    let (mut texts, mut whole) = (Map::new(), Map::new());
    for (name, property) in &properties {
        let encoding = encodings
            .get(name)
            .filter(|one| one.get("style").or(one.get("explode")).is_some());
        let usual = json!({});
        let style = Style::of(encoding.unwrap_or(&usual), "form");
        let items = document
            .flat(property, 8)
            .get("items")
            .cloned()
            .unwrap_or_default();
        let is_nested = encoding.is_none()
            && (wire::kind(document, property, 8) == wire::Kind::Object
                || wire::kind(document, &items, 8) != wire::Kind::Scalar);
        let read = if is_nested {
            json_pairs(name, &mut pairs)
        } else {
            wire::of_pairs(document, property, &style, name, &mut pairs)
        };
        let read = read.map_err(|rule| vec![Violation::new(format!("{BODY}/{name}"), rule)]);
        let Some(value) = read? else {
            continue;
        };
        let typed = if is_nested {
            value.clone()
        } else {
            wire::typed(document, property, &value)
        };
        whole.insert(name.clone(), typed);
        texts.insert(name.clone(), value);
    }
    if !flat
        .get("additionalProperties")
        .is_some_and(|others| others == &json!(false))
    {
        for (name, value) in std::mem::take(&mut pairs) {
            texts.insert(name, wire::decoded(&value, true).into());
        }
    }
    let mut broken = violations(document, schema, &whole.into(), BODY);
    let unknown = pairs.iter().map(|(name, _)| format!("{BODY}/{name}"));
    broken.extend(unknown.map(|place| Violation::new(place, "is not known")));
    checked(broken)?;
    Ok(texts.into())
}

/// Returns the properties of a schema and of the members of its unions.
fn properties(document: &Document, schema: &Value) -> Map<String, Value> {
    let mut properties = Map::new();
    wire::parts(document, schema, 8, &mut |part| {
        let more = part.get("properties").and_then(Value::as_object);
        let more = more.into_iter().flatten();
        properties.extend(more.map(|(name, property)| (name.clone(), property.clone())));
    });
    properties
}

/// Reads the JSON pairs of a name: one is the value, several are the elements of a list.
fn json_pairs(name: &str, pairs: &mut Vec<(String, String)>) -> Result<Option<Value>, String> {
    let any = json!({"items": {}});
    let document = Document(Value::Null);
    let style = Style {
        name: "form",
        explode: true,
    };
    let Some(Value::Array(texts)) = wire::of_pairs(&document, &any, &style, name, pairs)? else {
        return Ok(None);
    };
    let read = |text: &Value| {
        let text = text.as_str().unwrap_or_default();
        serde_json::from_str::<Value>(text).unwrap_or_else(|_| text.into())
    };
    Ok(Some(match texts.as_slice() {
        [one] => read(one),
        all => all.iter().map(read).collect(),
    }))
}

/// Reads the parts of a form. Each is checked by the schema of its property.
async fn parts(
    document: &Document,
    schema: &Value,
    encodings: &Value,
    content_type: &str,
    body: Bytes,
) -> Result<Value, Vec<Violation>> {
    let request = Request::builder().header(header::CONTENT_TYPE, content_type);
    let request = request.body(Body::from(body));
    let request = request.map_err(|error| refusal(error.to_string()))?;
    let parts = Multipart::from_request(request, &()).await;
    let mut parts = parts.map_err(|error| refusal(error.to_string()))?;
    let schema = document.flat(schema, 8);
    let properties = properties(document, &schema);
    let (mut all, mut seen) = (Vec::new(), Map::new());
    while let Some(part) = parts
        .next_field()
        .await
        .map_err(|error| refusal(error.to_string()))?
    {
        let name = part.name().unwrap_or_default().to_owned();
        let (file, kind) = (
            part.file_name().map(str::to_owned),
            part.content_type().map(str::to_owned),
        );
        let text = part.text().await;
        let text = text.map_err(|error| refusal(error.to_string()))?;
        let place = format!("{BODY}/{name}");
        let broken = |rule: &str| vec![Violation::new(&place, rule)];
        let property = properties.get(&name);
        let property = property.or_else(|| schema.get("additionalProperties"));
        let property = property.ok_or_else(|| broken("is not known"))?;
        let property = document.flat(property, 8);
        let property = document.but_null(&property);
        let is_list = may_be(property, "array");
        if seen.insert(name.clone(), Value::Null).is_some() && !is_list {
            return Err(broken("must be given once"));
        }
        let one = property
            .get("items")
            .filter(|_| is_list)
            .unwrap_or(property);
        let encoded = encodings
            .get(&name)
            .and_then(|one| one.get("contentType"))
            .and_then(Value::as_str);
        let is_bytes = encoded.is_some_and(|kind| !is_json(kind) && !kind.starts_with("text/"));
        let is_file = document.is_file(one) || is_bytes;
        if document.is_file(one) != (file.is_some() && kind.is_some()) && !is_bytes {
            let rule = "must have a file name and a media type if it is a file, or else none";
            return Err(broken(rule));
        }
        if !is_file {
            let value = match wire::kind(document, one, 8) {
                wire::Kind::Scalar => wire::typed(document, one, &json!(text)),
                // A union of an object and a string has parts of both forms.
                _ => serde_json::from_str(&text).unwrap_or_else(|_| json!(text)),
            };
            let schema = if value.is_array() && is_list {
                property
            } else {
                one
            };
            checked(violations(document, schema, &value, &place))?;
        }
        all.push(json!({"name": name, "file": file, "type": kind, "text": text}));
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !seen.contains_key(name) {
            return Err(vec![Violation::new(
                format!("{BODY}/{name}"),
                "is required",
            )]);
        }
    }
    Ok(all.into())
}
