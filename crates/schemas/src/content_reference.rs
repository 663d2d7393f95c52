//! A reference in place of all media types of a body: what OpenAPI 3.2 has for one of them, some tools write for the whole map.

use openapi_document::pointer;
use serde_json::Value;

use super::walker::Walker;

/// Replaces such a reference by the media types that it names.
pub(super) fn written_out(walker: &mut Walker<'_>, holder: &mut Value, at: &str) {
    let Some(content) = holder.get_mut("content") else {
        return;
    };
    let Some(reference) = content.get("$ref").and_then(Value::as_str) else {
        return;
    };
    let at = format!("{at}/content");
    let target = walker.resolver.target(reference);
    let target = target.and_then(|target| walker.resolver.end(target));
    match target.filter(|target| target.value.is_object()) {
        Some(shared) => {
            *content = shared.value.clone();
            for (media_type, _) in shared.value.as_object().into_iter().flatten() {
                let own = pointer::join(&at, media_type);
                let named = pointer::join(&shared.pointer, media_type);
                walker.moved.insert(own, named);
            }
        }
        None => {
            let reference = reference.to_owned();
            walker.leads_nowhere(&at, &reference);
            if let Some(map) = content.as_object_mut() {
                map.shift_remove("$ref");
            }
        }
    }
}
