//! Reads the bodies of webhooks. Nothing calls them, but their receivers need the types.

use std::collections::HashMap;

use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_schemas::{Called, called, resolve, union_of};
use serde_json::{Map, Value, json};

use super::auth::is_token;
use super::bodies::{essence, is_json};
use super::json::{followed, members_of, text_of};
use super::notes::Notes;
use super::operation::texts;
use super::schemas::SchemaRegistry;
use crate::{Place, Signature, Standard, Subset, Webhook, names};

/// Says how the service signs its webhooks.
const SIGNATURE: &str = "x-webhook-signature";
/// The header of Standard Webhooks, which a document may list as a parameter.
const STANDARD_HEADER: &str = "webhook-signature";
/// The component that [`with_any`] adds: the first name of no type of the document.
const ANY: [&str; 2] = ["WebhookEvent", "AnyWebhookEvent"];
/// Marks it.
const IS_ANY: &str = "x-any-webhook";

/// A webhook with a JSON body.
struct Sent<'d> {
    name: &'d str,
    operation: &'d Value,
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

/// Returns how the service signs its webhooks, if the document says it.
pub(super) fn signature(notes: &mut Notes<'_>) -> Option<Signature> {
    let source = notes.source;
    if source.value.get(SIGNATURE).is_some() {
        let signature: Option<Signature> = notes.extension("", &source.value, SIGNATURE);
        let problem = signature.as_ref().and_then(problem);
        if let Some((key, problem)) = problem {
            notes.wrong(
                "webhook-signature",
                &format!("/{SIGNATURE}/{key}"),
                problem,
                "write it as the provider's documentation shows it",
            );
            return None;
        }
        return signature;
    }
    let mut sent = sent(source, &mut Subset::default()).into_iter();
    let is_standard = sent.any(|webhook| {
        let parameters = webhook
            .operation
            .get("parameters")
            .and_then(Value::as_array);
        let mut parameters = parameters.into_iter().flatten();
        parameters.any(|parameter| {
            let name = text_of(followed(&source.value, parameter), "name");
            name.is_some_and(|name| name.eq_ignore_ascii_case(STANDARD_HEADER))
        })
    });
    is_standard.then_some(Signature::Standard(Standard::StandardWebhooks))
}

/// Returns the key of a signature that could be right for any body or time, or never, and why.
fn problem(signature: &Signature) -> Option<(&'static str, String)> {
    let Signature::Hmac(hmac) = signature else {
        return None;
    };
    let is_in_header = hmac
        .timestamp
        .as_deref()
        .is_some_and(|name| name.ends_with('='));
    if is_in_header && hmac.value.contains([',', ' ']) {
        let problem = "a signature beside a time has no comma and no space";
        return Some(("value", problem.to_owned()));
    }
    if !["{hex}", "{base64}"]
        .iter()
        .any(|one| hmac.value.contains(one))
    {
        let problem = "no signature has this form: `{hex}` or `{base64}` is missing";
        return Some(("value", problem.to_owned()));
    }
    for name in [
        Some(&hmac.header),
        hmac.id.as_ref(),
        hmac.timestamp.as_ref(),
    ] {
        let name = name.filter(|name| !name.ends_with('='));
        if name.is_some_and(|name| !is_token(name)) {
            return Some(("header", "HTTP has no header of this name".to_owned()));
        }
    }
    let known = ["{body}", "{id}", "{timestamp}"];
    let unknown = known
        .iter()
        .fold(hmac.signed.clone(), |rest, one| rest.replace(one, ""));
    let value = hmac.value.replace("{hex}", "").replace("{base64}", "");
    for (key, text) in [("signed", unknown), ("value", value)] {
        if text.contains(['{', '}']) {
            return Some((key, "it has an unknown placeholder".to_owned()));
        }
    }
    let given = [
        ("{body}", true),
        ("{id}", hmac.id.is_some()),
        ("{timestamp}", hmac.timestamp.is_some()),
    ];
    for (placeholder, is_given) in given {
        if hmac.signed.contains(placeholder) != is_given {
            let problem = if is_given {
                format!("it is not signed: `{placeholder}` is missing")
            } else {
                format!("nothing says where `{placeholder}` is")
            };
            return Some(("signed", problem));
        }
    }
    None
}

/// Lists the chosen webhooks with a JSON body.
fn sent<'d>(source: &'d Source, subset: &mut Subset) -> Vec<Sent<'d>> {
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
