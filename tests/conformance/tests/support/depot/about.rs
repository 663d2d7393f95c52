//! Metadata of a file: read and written whole, or patched as in RFC 7396, where null clears a member.

use axum::Json;
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::refusal::{Refusal, is};
use super::{File, Handled};

/// Returns the metadata of the first file: all nullable members are null, and the list is empty.
pub(super) fn first() -> Map<String, Value> {
    let about = json!({
        "taken": null, "note": null, "labels": [], "links": null, "counts": null, "rating": null,
    });
    about.as_object().unwrap().clone()
}

pub(super) fn show(file: &File) -> Response {
    let mut about = file.about.clone();
    about.insert("name".to_owned(), json!(file.name));
    Json(about).into_response()
}

pub(super) fn replace(file: &mut File, headers: &HeaderMap, body: &Bytes) -> Handled {
    is(headers, "content-type", "application/json")?;
    let mut about = read(body)?;
    match about.remove("name") {
        Some(Value::String(name)) => file.name = name,
        _ => return Err(Refusal::bad("there is no name")),
    }
    file.about = about;
    Ok(show(file))
}

/// Patches the metadata of a file. `name` is the member of the body with the file's name.
pub(super) fn change(file: &mut File, headers: &HeaderMap, body: &Bytes, name: &str) -> Handled {
    is(headers, "content-type", "application/merge-patch+json")?;
    for (member, value) in read(body)? {
        match value {
            Value::String(text) if member == name => file.name = text,
            Value::Null => {
                file.about.remove(&member);
            }
            value => {
                file.about.insert(member, value);
            }
        }
    }
    Ok(show(file))
}

/// Reads the members of a body. Each must have its documented type, or be null if it is nullable.
fn read(body: &Bytes) -> Result<Map<String, Value>, Refusal> {
    let members: Map<String, Value> =
        serde_json::from_slice(body).map_err(|_| Refusal::bad("the body is not an object"))?;
    for (member, value) in &members {
        let is_allowed = match member.as_str() {
            "name" | "new" => value.is_string(),
            "note" | "taken" => value.is_string() || value.is_null(),
            "labels" => value.is_array(),
            "links" => value.is_array() || value.is_null(),
            "counts" => value.is_object() || value.is_null(),
            "rating" => value.is_u64() || value.is_null(),
            _ => false,
        };
        if !is_allowed {
            return Err(Refusal::bad(&format!("`{member}` is {value}")));
        }
    }
    Ok(members)
}
