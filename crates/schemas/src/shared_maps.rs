//! A reference in place of a whole map: all media types of a body, of which OpenAPI 3.2 allows it for one, the properties of a schema, or
//! the components of a kind. Bundlers of split documents write it out.

use openapi_document::pointer;
use serde_json::{Map, Value, json};

use super::walker::Walker;

/// Replaces the reference with one for each member that it refers to. An own member wins.
pub(super) fn members(walker: &mut Walker<'_>, map: &mut Map<String, Value>, at: &str) {
    let Some(Value::String(reference)) = map.get("$ref") else {
        return;
    };
    let reference = reference.clone();
    map.shift_remove("$ref");
    let Some(shared) = walker.shared(&reference, at) else {
        return;
    };
    for (name, _) in shared.value.as_object().into_iter().flatten() {
        if !map.contains_key(name) {
            let named = pointer::join(&shared.pointer, name);
            map.insert(name.clone(), json!({"$ref": format!("#{named}")}));
            walker.moved.insert(pointer::join(at, name), named);
        }
    }
}

/// Replaces the reference with the media types that it refers to.
pub(super) fn media_types(walker: &mut Walker<'_>, holder: &mut Value, at: &str) {
    let Some(content) = holder.get_mut("content") else {
        return;
    };
    let Some(reference) = content.get("$ref").and_then(Value::as_str) else {
        return;
    };
    let at = format!("{at}/content");
    let Some(shared) = walker.shared(reference, &at) else {
        if let Some(map) = content.as_object_mut() {
            map.shift_remove("$ref");
        }
        return;
    };
    let shared_types = shared.value.as_object().into_iter().flatten();
    let shortened = shared_types.map(|(media_type, value)| {
        let own = pointer::join(&at, media_type);
        let named = pointer::join(&shared.pointer, media_type);
        let short = shortened(value, &named);
        walker.moved.insert(own, named);
        (media_type.clone(), short)
    });
    *content = shortened.collect();
}

/// Returns a media type with references to its schemas, so that bodies share them. Examples are not copied.
fn shortened(media_type: &Value, at: &str) -> Value {
    let Value::Object(members) = media_type else {
        return media_type.clone();
    };
    let members = members
        .iter()
        .filter(|(key, _)| !key.starts_with("example"));
    let members = members.map(|(key, value)| {
        let is_inline = matches!(key.as_str(), "schema" | "itemSchema")
            && value.is_object()
            && value.get("$ref").is_none();
        let value = if is_inline {
            json!({"$ref": format!("#{}", pointer::join(at, key))})
        } else {
            value.clone()
        };
        (key.clone(), value)
    });
    members.collect()
}
