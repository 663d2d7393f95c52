//! Walks through a document by the structure of OpenAPI. Each function knows the kind of value at its location; a walk through arbitrary
//! JSON would mistake examples for schemas.

use openapi_document::pointer;
use serde_json::{Map, Value, json};

use super::events;
use super::parameter::parameter;
use super::path_items::{leave_out, written_out};
use super::schema::schema;
use super::shared_maps;
use super::walker::{Kind, Walker};
use crate::methods::is_other;
use crate::{METHODS, OTHERS};

/// Rewrites everything that an operation may refer to.
pub(super) fn document(walker: &mut Walker<'_>, document: &mut Value) {
    paths(walker, document);
    for kind in Kind::ALL {
        let mut components = document.pointer_mut(kind.components());
        if let Some(Value::Object(map)) = &mut components {
            shared_maps::members(walker, map, kind.components());
        }
        walker.each(components, kind.components(), |walker, value, at| {
            place(walker, value, at, kind);
        });
    }
    while let Some((at, kind)) = walker.waiting.pop() {
        if let Some(value) = document.pointer_mut(&at) {
            place(walker, value, &at, kind);
        }
    }
    events::data(walker, document);
}

/// Rewrites a location. Returns whether it can be used: a missing parameter cannot.
fn place(walker: &mut Walker<'_>, value: &mut Value, at: &str, kind: Kind) -> bool {
    let referred = match kind {
        Kind::Schema => None,
        _ => walker.refer(value, at, kind),
    };
    referred.unwrap_or_else(|| part(walker, value, at, kind))
}

/// Rewrites a part that is not a reference. Returns whether it can be used.
fn part(walker: &mut Walker<'_>, value: &mut Value, at: &str, kind: Kind) -> bool {
    match kind {
        Kind::Schema => schema(walker, value, at),
        Kind::Parameter => {
            let usable = parameter(walker, value, at);
            if usable {
                schema_of(walker, value, at);
                content(walker, value, at);
            }
            return usable;
        }
        Kind::Header => {
            schema_of(walker, value, at);
            content(walker, value, at);
        }
        Kind::RequestBody => {
            content(walker, value, at);
            // A body without a media type cannot be sent.
            return value.get("content").is_some_and(Value::is_object);
        }
        Kind::Response => {
            let headers = value.get_mut("headers");
            walker.each(headers, &format!("{at}/headers"), |walker, header, at| {
                place(walker, header, at, Kind::Header);
            });
            content(walker, value, at);
            links(walker, value, at);
        }
        Kind::Callback => callback(walker, value, at),
    }
    true
}

/// Rewrites the schema of a parameter, a header or a media type.
fn schema_of(walker: &mut Walker<'_>, holder: &mut Value, at: &str) {
    if let Some(value) = holder.get_mut("schema") {
        schema(walker, value, &format!("{at}/schema"));
    }
}

/// Rewrites the media types of a body, a response or a parameter.
fn content(walker: &mut Walker<'_>, holder: &mut Value, at: &str) {
    shared_maps::media_types(walker, holder, at);
    let content = holder.get_mut("content");
    walker.each(content, &format!("{at}/content"), |walker, value, at| {
        media_type(walker, value, at);
    });
}

fn media_type(walker: &mut Walker<'_>, value: &mut Value, at: &str) {
    if let Some(reference) = value.get("$ref").and_then(Value::as_str)
        && let Some(shared) = walker.shared(reference, at)
    {
        *value = shared.value.clone();
        walker.moved.insert(at.to_owned(), shared.pointer);
    }
    let Some(map) = value.as_object_mut() else {
        *value = json!({});
        return;
    };
    let is_of_items = map.contains_key("itemSchema");
    if let Some(items) = map.get_mut("itemSchema") {
        schema(walker, items, &format!("{at}/itemSchema"));
    }
    // A stream of items is bytes as a whole.
    if is_of_items && !map.contains_key("schema") {
        map.insert(
            "schema".to_owned(),
            json!({"type": "string", "format": "binary"}),
        );
    }
    if at.contains("/text~1event-stream") {
        let key = if is_of_items { "itemSchema" } else { "schema" };
        walker.events.push(format!("{at}/{key}"));
    }
    schema_of(walker, value, at);
    let encoding = value.get_mut("encoding");
    walker.each(encoding, &format!("{at}/encoding"), |walker, one, at| {
        let headers = one.get_mut("headers");
        walker.each(headers, &format!("{at}/headers"), |walker, header, at| {
            place(walker, header, at, Kind::Header);
        });
    });
}

/// Removes links that lead nowhere, which the response does not need.
fn links(walker: &mut Walker<'_>, response: &mut Value, at: &str) {
    let links = response.get_mut("links").and_then(Value::as_object_mut);
    let Some(links) = links else {
        return;
    };
    links.retain(|name, link| {
        let Some(reference) = link.get("$ref").and_then(Value::as_str) else {
            return true;
        };
        let plain = walker.plain(reference, &pointer::join(&format!("{at}/links"), name));
        if let Some(plain) = &plain {
            *link = json!({"$ref": plain});
        }
        plain.is_some()
    });
}

/// Rewrites all path items. Those of webhooks are never called, but have types.
fn paths(walker: &mut Walker<'_>, document: &mut Value) {
    for (key, is_called) in [("paths", true), ("webhooks", false)] {
        let at = format!("/{key}");
        let items = document.get_mut(key).and_then(Value::as_object_mut);
        for (path, item) in items.into_iter().flatten() {
            if !path.starts_with("x-") {
                let at = pointer::join(&at, path);
                path_item(walker, item, &at, is_called.then_some(path));
            }
        }
    }
}

/// Rewrites a path item; `path` is set if its operations are to be called.
fn path_item(walker: &mut Walker<'_>, item: &mut Value, at: &str, path: Option<&str>) {
    // A callback may refer back to its own path.
    if at.contains("/callbacks/") && item.get("$ref").is_some() {
        return;
    }
    written_out(walker, item, at);
    let Some(map) = item.as_object_mut() else {
        if !item.is_null() {
            walker.warn(
                "openapi-form",
                at,
                "this is not a path item, and its operations are unknown",
                "write the operations as OpenAPI defines them, in an override",
            );
        }
        *item = Value::Object(Map::new());
        return;
    };
    let list = map.get_mut("parameters");
    let shared = parameters(walker, list, &format!("{at}/parameters"));
    for method in METHODS {
        let place = format!("{at}/{method}");
        if let Some(value) = map.get_mut(method)
            && let Err(reason) = operation(walker, value, &place, &shared)
        {
            leave_out(walker, &place, &method.to_uppercase(), path, reason);
            map.shift_remove(method);
        }
    }
    if let Some(Value::Object(others)) = map.get_mut(OTHERS) {
        others.retain(|method, value| {
            let place = pointer::join(&format!("{at}/{OTHERS}"), method);
            let rewritten = if is_other(method) {
                operation(walker, value, &place, &shared)
            } else {
                Err("its method is not an HTTP method, or has a separate keyword".to_owned())
            };
            let is_usable = rewritten.is_ok();
            if let Err(reason) = rewritten {
                leave_out(walker, &place, method, path, reason);
            }
            is_usable
        });
    }
}

/// Rewrites a list of parameters.
///
/// # Errors
///
/// An operation with this list cannot be called correctly; the error is the reason.
fn parameters(walker: &mut Walker<'_>, list: Option<&mut Value>, at: &str) -> Result<(), String> {
    let mut usable = Ok(());
    let list = list.and_then(Value::as_array_mut);
    for (index, parameter) in list.into_iter().flatten().enumerate() {
        if !place(walker, parameter, &format!("{at}/{index}"), Kind::Parameter) {
            let name = parameter.get("name").or_else(|| parameter.get("$ref"));
            usable = Err(match name {
                Some(Value::String(name)) => format!("its parameter `{name}` cannot be read"),
                _ => "a parameter of it cannot be read".to_owned(),
            });
        }
    }
    usable
}

/// Rewrites an operation. `shared` are the parameters of its path.
///
/// # Errors
///
/// The operation cannot be called correctly; the error is the reason.
fn operation(
    walker: &mut Walker<'_>,
    operation: &mut Value,
    at: &str,
    shared: &Result<(), String>,
) -> Result<(), String> {
    // A callback may refer back to its own operation.
    if !at.contains("/callbacks/") {
        written_out(walker, operation, at);
    }
    if !operation.is_object() {
        return Err("it is not an operation".to_owned());
    }
    let list = operation.get_mut("parameters");
    let own = parameters(walker, list, &format!("{at}/parameters"));
    let mut usable = shared.clone().and(own);
    let body = operation.get_mut("requestBody");
    if let Some(body) = body.filter(|body| !body.is_null()) {
        let body_at = format!("{at}/requestBody");
        if !place(walker, body, &body_at, Kind::RequestBody) {
            usable = usable.and(Err("its request body cannot be read".to_owned()));
        }
    }
    let responses = operation.get_mut("responses");
    let responses = responses.and_then(Value::as_object_mut);
    for (status, response) in responses.into_iter().flatten() {
        if !status.starts_with("x-") {
            let at = pointer::join(&format!("{at}/responses"), status);
            place(walker, response, &at, Kind::Response);
        }
    }
    let callbacks = operation.get_mut("callbacks");
    walker.each(
        callbacks,
        &format!("{at}/callbacks"),
        |walker, value, at| {
            place(walker, value, at, Kind::Callback);
        },
    );
    usable
}

/// Rewrites a callback: path items by the expression of their URL.
fn callback(walker: &mut Walker<'_>, callback: &mut Value, at: &str) {
    for (expression, item) in callback.as_object_mut().into_iter().flatten() {
        if !expression.starts_with("x-") {
            path_item(walker, item, &pointer::join(at, expression), None);
        }
    }
}
