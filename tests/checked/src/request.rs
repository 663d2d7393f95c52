//! Reads a request by the document's description of its operation.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use serde_json::{Map, Value, json};

use crate::document::Operation;
use crate::scalars::may_be;
use crate::wire::{self, Style};
use crate::{Document, check};

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

/// Reads a request.
///
/// # Errors
///
/// The request is not allowed by the document.
pub(crate) async fn received(
    document: &Document,
    head: &Parts,
    body: Bytes,
) -> Result<Received, String> {
    let method = head.method.as_str().to_ascii_lowercase();
    let (operation, captured) = document
        .operation(
            &method,
            head.uri.path(),
            &wire::pairs(head.uri.query().unwrap_or_default(), "&"),
        )
        .ok_or_else(|| format!("no operation {method} {}", head.uri.path()))?;
    let parameters = parameters(document, &operation, &captured, head)?;
    let content_type = head.headers.get(header::CONTENT_TYPE);
    let (media_type, body) = read(document, operation.value, content_type, body).await?;
    Ok(Received {
        operation: operation.id,
        parameters,
        media_type,
        body,
    })
}

/// Returns the parameters of a request. Each is checked by its schema.
fn parameters(
    document: &Document,
    operation: &Operation<'_>,
    captured: &[(String, String)],
    head: &Parts,
) -> Result<BTreeMap<(String, String), Value>, String> {
    let mut query = wire::pairs(head.uri.query().unwrap_or_default(), "&");
    let cookies = head
        .headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut cookies: Vec<(String, String)> =
        cookies.flat_map(|text| wire::pairs(text, ";")).collect();
    let mut found = BTreeMap::new();
    // An object without a wire name takes the remaining pairs, so it comes last.
    let mut declared = operation.parameters.clone();
    declared.sort_by_key(|parameter| {
        let style = Style::of(parameter, "form");
        let is_spread = style.name == "form" && style.explode;
        is_spread && wire::kind(document, schema(parameter).0, 8) == wire::Kind::Object
    });
    for parameter in declared {
        let text = |key: &str| {
            parameter
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (name, place) = (text("name"), text("in"));
        if document.is_of_protocol(place, name) {
            continue;
        }
        let (schema, is_json) = schema(parameter);
        let at = format!("{place} parameter `{name}`");
        let usual = if matches!(place, "query" | "cookie") {
            "form"
        } else {
            "simple"
        };
        let style = Style::of(parameter, usual);
        let value = match place {
            "query" | "cookie" => {
                let pairs = if place == "query" {
                    &mut query
                } else {
                    &mut cookies
                };
                if is_json {
                    wire::of_pairs(document, &json!({}), &style, name, pairs)
                } else {
                    wire::of_pairs(document, schema, &style, name, pairs)
                }
            }
            _ => {
                let captured = captured
                    .iter()
                    .find(|(one, _)| place == "path" && one == name);
                let header = head.headers.get(name).filter(|_| place == "header");
                let header =
                    header.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
                let decode = |text: &str| match place {
                    "path" => wire::decoded(text, false),
                    _ => text.trim().to_owned(),
                };
                let kind = if is_json {
                    wire::Kind::Scalar
                } else {
                    wire::kind(document, schema, 8)
                };
                let text = captured.map(|(_, text)| text.clone()).or(header);
                text.map(|text| wire::one(kind, &style, name, &text, &decode))
                    .transpose()
            }
        };
        let Some(value) = value.map_err(|problem| format!("the {at} {problem}"))? else {
            if parameter.get("required") == Some(&json!(true)) {
                return Err(format!("the {at} is missing"));
            }
            continue;
        };
        let value = match (is_json, &value) {
            (true, Value::String(text)) => {
                let value = serde_json::from_str(text)
                    .map_err(|error| format!("the {at} is no JSON: {error}"))?;
                check(document, schema, &value, &at)?;
                value
            }
            _ => {
                check(
                    document,
                    schema,
                    &wire::typed(document, schema, &value),
                    &at,
                )?;
                value
            }
        };
        found.insert((place.to_owned(), name.to_owned()), value);
    }
    let fixed = operation.fixed();
    let keys = document
        .0
        .pointer("/components/securitySchemes")
        .and_then(Value::as_object);
    let is_key = |name: &String| {
        let mut keys = keys
            .into_iter()
            .flatten()
            .map(|(_, scheme)| document.meant(scheme));
        keys.any(|scheme| scheme.get("name").and_then(Value::as_str) == Some(name))
    };
    match query
        .iter()
        .find(|pair| !fixed.contains(pair) && !is_key(&pair.0))
    {
        Some((name, _)) => Err(format!("the operation has no query parameter `{name}`")),
        None => Ok(found),
    }
}

/// Returns the schema of a parameter, and whether its value is JSON.
pub(crate) fn schema(parameter: &Value) -> (&Value, bool) {
    let content = parameter.get("content").and_then(Value::as_object);
    let media = content.and_then(|content| content.values().next());
    match media {
        Some(media) => (media.get("schema").unwrap_or(&Value::Null), true),
        None => (parameter.get("schema").unwrap_or(&Value::Null), false),
    }
}

/// Returns whether a media type is JSON.
pub(crate) fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

/// Reads the media type and the body, if the operation takes them.
async fn read(
    document: &Document,
    operation: &Value,
    content_type: Option<&HeaderValue>,
    body: Bytes,
) -> Result<(Option<String>, Value), String> {
    let declared = operation
        .get("requestBody")
        .map(|body| document.meant(body));
    let content = declared.and_then(|body| body.get("content"));
    let Some(content_type) = content_type else {
        let is_required = declared.is_some_and(|body| body.get("required") == Some(&json!(true)));
        return if is_required || !body.is_empty() {
            Err("a body has to have a media type".to_owned())
        } else {
            Ok((None, Value::Null))
        };
    };
    let full = content_type.to_str().map_err(|error| error.to_string())?;
    let essence = full.split(';').next().unwrap_or_default().trim().to_owned();
    let content = content.and_then(Value::as_object);
    let is_it = |key: &str| {
        let key = key.split(';').next().unwrap_or_default().trim();
        let range = key
            .strip_suffix('*')
            .filter(|range| essence.starts_with(range));
        key.eq_ignore_ascii_case(&essence) || range.is_some()
    };
    let declared = content.into_iter().flatten().find(|(key, _)| is_it(key));
    let (_, declared) = declared.ok_or_else(|| format!("the operation takes no `{essence}`"))?;
    let any = json!({});
    let schema = declared.get("schema").unwrap_or(&any);
    let encodings = declared.get("encoding").unwrap_or(&any);
    let body = match essence.as_str() {
        media_type if is_json(media_type) => {
            let value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
            check(document, schema, &value, "body")?;
            value
        }
        "application/x-www-form-urlencoded" => form(document, schema, encodings, &body)?,
        "multipart/form-data" => parts(document, schema, encodings, full, body).await?,
        _ => String::from_utf8_lossy(&body).into_owned().into(),
    };
    Ok((Some(essence), body))
}

/// Reads a form: properties without a style have a pair for each element, and JSON where they are nested.
fn form(
    document: &Document,
    schema: &Value,
    encodings: &Value,
    body: &[u8],
) -> Result<Value, String> {
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
        let Some(value) = read.map_err(|problem| format!("the property `{name}` {problem}"))?
        else {
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
    if let Some((name, _)) = pairs.first() {
        return Err(format!("the form has no property `{name}`"));
    }
    check(document, schema, &whole.into(), "body")?;
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
) -> Result<Value, String> {
    let request = Request::builder().header(header::CONTENT_TYPE, content_type);
    let request = request
        .body(Body::from(body))
        .map_err(|error| error.to_string())?;
    let parts = Multipart::from_request(request, &()).await;
    let mut parts = parts.map_err(|error| error.to_string())?;
    let schema = document.flat(schema, 8);
    let properties = properties(document, &schema);
    let (mut all, mut seen) = (Vec::new(), Map::new());
    while let Some(part) = parts
        .next_field()
        .await
        .map_err(|error| error.to_string())?
    {
        let name = part.name().unwrap_or_default().to_owned();
        let (file, kind) = (
            part.file_name().map(str::to_owned),
            part.content_type().map(str::to_owned),
        );
        let text = part.text().await.map_err(|error| error.to_string())?;
        let property = properties.get(&name);
        let property = property.or_else(|| schema.get("additionalProperties"));
        let property = property.ok_or_else(|| format!("the form has no part `{name}`"))?;
        let property = document.flat(property, 8);
        let property = document.but_null(&property);
        let is_list = may_be(property, "array");
        if seen.insert(name.clone(), Value::Null).is_some() && !is_list {
            return Err(format!("the part `{name}` came twice"));
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
            return Err(format!(
                "the part `{name}` has to have a file name and a media type if it is a file"
            ));
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
            check(document, schema, &value, &name)?;
        }
        all.push(json!({"name": name, "file": file, "type": kind, "text": text}));
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !seen.contains_key(name) {
            return Err(format!("the part `{name}` is missing"));
        }
    }
    Ok(all.into())
}
