//! The text of a request, by which its response is stored: equal calls have the same.

use http::header::{HeaderName, USER_AGENT};

use crate::call::engine::Engine;
use crate::request::comparison::{is_upload, with_canonical_arguments};
use crate::request::request::Request;

/// Longer requests are not stored.
const LONGEST: usize = 64 * 1024;

/// Returns method and address of a request, its headers and its body, as an HTTP message without its version. `None`: it is not stored, because it
/// is no text, is too long, is invalid, has a secret argument, or repeats a credential.
pub(super) fn key(engine: &Engine, request: &Request, partition: Option<&str>) -> Option<String> {
    if is_upload(request) || request.has_secret {
        return None;
    }
    let address = engine.address(request).ok()?;
    let request = with_canonical_arguments(request);
    let message = request.to_http(&address, engine.api.auth, &engine.headers);
    let message = message.ok()?;
    let mut key = format!("{} {}", message.method(), message.uri());
    if let Some(partition) = partition {
        key = format!("{partition:?} {key}");
    }
    let mut headers: Vec<(&HeaderName, &str)> = Vec::new();
    for (name, value) in message.headers() {
        // A credential of the caller: others must not get its response, and it must not be stored.
        if value.is_sensitive() {
            return None;
        }
        if *name != USER_AGENT && !request.has_key_in(name) {
            headers.push((name, value.to_str().ok()?));
        }
    }
    headers.sort_by_key(|(name, _)| name.as_str());
    for (name, value) in headers {
        key.push_str(&format!("\n{name}: {value}"));
    }
    if !message.body().is_empty() {
        key.push_str("\n\n");
        key.push_str(str::from_utf8(message.body()).ok()?);
    }
    let secrets = engine.credentials.secrets();
    let has_secret = secrets.is_some_and(|secrets| secrets.is_in(key.as_bytes()));
    (!has_secret && key.len() <= LONGEST).then_some(key)
}
