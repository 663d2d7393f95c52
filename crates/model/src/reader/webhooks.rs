//! Reads the bodies of webhooks. Nothing calls them, but their receivers need the types.

use std::collections::HashMap;

use openapi_document::json::{members_of, text_of};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_schemas::media_type::{essence, is_json};
use openapi_schemas::{Called, called, resolve, union_of};
use serde_json::{Map, Value, json};

use super::operation::texts;
use super::schemas::SchemaRegistry;
use crate::{Place, Subset, Webhook, names};

/// The component that [`with_any`] adds: the first name of no type of the document.
const ANY: [&str; 2] = ["WebhookEvent", "AnyWebhookEvent"];
/// Marks it.
const IS_ANY: &str = "x-any-webhook";

/// A webhook with a JSON body.
pub(super) struct Sent<'d> {
    name: &'d str,
    pub(super) operation: &'d Value,
    /// The pointer of the schema.
    schema: String,
}

/// Adds a schema of the bodies of all chosen webhooks, where there are several: one address receives them all.
pub fn with_any(source: &mut Source) {
    let chosen = source.value.pointer("/info/x-rust-package/operations");
    let chosen = chosen.and_then(|chosen| serde_json::from_value(chosen.clone()).ok());
    let mut subset = Subset {
        chosen,
        ..Subset::default()
    };
    let sent = sent(source, &mut subset).into_iter();
    let bodies: Vec<String> = sent.map(|webhook| webhook.schema).collect();
    if bodies.len() < 2 {
        return;
    }
    let root = source.value.as_object_mut();
    let schemas = root.and_then(|root| {
        let components = root.entry("components").or_insert_with(|| json!({}));
        let schemas = components.as_object_mut()?.entry("schemas");
        schemas.or_insert_with(|| json!({})).as_object_mut()
    });
    if let Some(schemas) = schemas
        && let Some(free) = ANY.into_iter().find(|name| is_free(name, schemas))
    {
        let mut any = union_of(&bodies);
        any.insert("description".to_owned(), "The body of any webhook.".into());
        any.insert(IS_ANY.to_owned(), true.into());
        schemas.insert(free.to_owned(), any.into());
    }
}

/// Returns whether no schema has this name in Rust.
fn is_free(name: &str, schemas: &Map<String, Value>) -> bool {
    !schemas.iter().any(|(key, schema)| {
        let own = text_of(schema, "x-rust-name").unwrap_or(key);
        names::pascal(own) == name
    })
}

/// The webhooks with a JSON body, in the order of the document, and any of them.
pub(super) fn read(
    source: &Source,
    registry: &mut SchemaRegistry<'_>,
    subset: &mut Subset,
) -> Vec<Webhook> {
    let mut read = Vec::new();
    let mut places: HashMap<String, Place> = HashMap::new();
    for webhook in sent(source, subset) {
        let hint = format!("{}Webhook", names::pascal(webhook.name));
        // Path items of several webhooks may be one.
        let schema = places
            .entry(webhook.schema.clone())
            .or_insert_with(|| registry.place(&hint, &webhook.schema));
        read.push(Webhook {
            name: Some(webhook.name.to_owned()),
            text: texts(webhook.operation, &["summary", "description"]),
            schema: schema.clone(),
        });
    }
    for name in ANY {
        let any = format!("/components/schemas/{name}");
        if source.value.pointer(&format!("{any}/{IS_ANY}")).is_some() {
            read.push(Webhook {
                name: None,
                text: Vec::new(),
                schema: registry.place(name, &any),
            });
        }
    }
    read
}

/// Lists the chosen webhooks with a JSON body.
pub(super) fn sent<'d>(source: &'d Source, subset: &mut Subset) -> Vec<Sent<'d>> {
    let mut all = Vec::new();
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
            if subset.has(&method, name, &format!("{at}{below}"), operation)
                && let Some(schema) = json_schema(source, &format!("{at}{below}/requestBody"))
            {
                all.push(Sent {
                    name,
                    operation,
                    schema,
                });
            }
        }
    }
    all
}

/// Returns the pointer of the schema of a JSON body.
fn json_schema(source: &Source, body: &str) -> Option<String> {
    let (body, value) = resolve(&source.value, body)?;
    let mut content = members_of(value, "content");
    let (media_type, _) = content.find(|(media_type, content)| {
        is_json(&essence(media_type)) && content.get("schema").is_some()
    })?;
    let at = pointer::join(&format!("{body}/content"), media_type);
    Some(format!("{at}/schema"))
}
