//! Reads the bodies of webhooks. Nothing calls them, but their receivers need the types.

use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_schemas::{Called, called, resolve};

use super::bodies::{essence, is_json};
use super::json::members_of;
use super::operation::texts;
use super::schemas::SchemaRegistry;
use crate::{Subset, Webhook, names};

/// The webhooks with a JSON body, in the order of the document.
pub(super) fn read(
    source: &Source,
    registry: &mut SchemaRegistry<'_>,
    subset: &mut Subset,
) -> Vec<Webhook> {
    let mut read = Vec::new();
    for (name, _) in members_of(&source.value, "webhooks") {
        let at = pointer::join("/webhooks", name);
        let Some((at, item)) = resolve(&source.value, &at) else {
            continue;
        };
        for Called {
            method,
            below,
            value: operation,
        } in called(item).filter(|one| one.value.is_object())
        {
            if !subset.has(&method, name, &format!("{at}{below}"), operation) {
                continue;
            }
            let body = format!("{at}{below}/requestBody");
            let Some((body, value)) = resolve(&source.value, &body) else {
                continue;
            };
            let mut content = members_of(value, "content");
            let Some((media_type, _)) = content.find(|(media_type, content)| {
                is_json(&essence(media_type)) && content.get("schema").is_some()
            }) else {
                continue;
            };
            let at = pointer::join(&format!("{body}/content"), media_type);
            let hint = format!("{}Webhook", names::pascal(name));
            read.push(Webhook {
                name: name.clone(),
                text: texts(operation, &["summary", "description"]),
                schema: registry.place(&hint, &format!("{at}/schema")),
            });
        }
    }
    read
}
