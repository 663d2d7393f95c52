//! Webhooks: a section of the README of a crate, and the constant that says how they are signed.

use openapi_model::{Hmac, Model, Signature, Webhook};

use super::left_out::cell;

/// The section of the README, with a table of the webhooks and the types of their bodies; empty for a document without webhooks.
pub(super) fn readme(model: &Model) -> String {
    let rows: Vec<String> = model.webhooks.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n## Webhooks\n\nThe service makes these requests itself.{}\n\n\
         | webhook | type of its body | what it says |\n|---|---|---|\n{}",
        reading(model),
        rows.concat()
    )
}

/// Says how the body of a request is read.
fn reading(model: &Model) -> String {
    let any = match model.webhooks.as_slice() {
        [only] => Some(only),
        several => several.iter().find(|webhook| webhook.name.is_none()),
    };
    let (Some(name), true) = (
        any.and_then(|webhook| webhook.schema.reference()),
        model.webhook_signature.is_some(),
    ) else {
        return " The document does not say how they are signed: anybody can make them. \
            `x-webhook-signature` in an override\nsays it, or a [`Signature`](webhooks::Signature) in your program."
            .to_owned();
    };
    let package = model.package.name.replace('-', "_");
    format!(
        " The signature is checked before the body is read, which has to be as it came:\n\n\
         ```rust\n\
         use {package}::{{WEBHOOK_SIGNATURE, http::HeaderMap, types, webhooks::WebhookError}};\n\n\
         fn receive(headers: &HeaderMap, body: &[u8], secret: &str) -> Result<types::{name}, WebhookError> {{\n    \
         WEBHOOK_SIGNATURE.read(headers, body, secret)\n\
         }}\n\
         ```"
    )
}

/// Returns the row of a webhook whose body has a type.
fn row(webhook: &Webhook) -> Option<String> {
    let name = webhook.schema.reference()?;
    let webhook_name = match &webhook.name {
        Some(name) => format!("`{}`", cell(name).replace('`', "'")),
        None => "any of them".to_owned(),
    };
    let text = webhook.text.first().map(|text| cell(text));
    Some(format!(
        "| {webhook_name} | `types::{name}` | {} |\n",
        text.unwrap_or_default()
    ))
}

/// The items of the crate root; empty for a crate that reads no webhooks.
pub(super) fn items(model: &Model) -> String {
    if !model.has_webhooks() {
        return String::new();
    }
    let constant = model.webhook_signature.as_ref().map(constant);
    format!(
        "pub use generated_client::webhooks;\n\n{}",
        constant.unwrap_or_default()
    )
}

/// Returns the constant that has the signature, formatted as rustfmt does.
fn constant(signature: &Signature) -> String {
    let value = match signature {
        Signature::Standard(_) => "webhooks::Signature::STANDARD_WEBHOOKS".to_owned(),
        Signature::Hmac(hmac) => {
            let Hmac {
                header,
                value,
                signed,
                id,
                timestamp,
                key,
            } = hmac;
            format!(
                "webhooks::Signature {{\n    \
                 header: {header:?},\n    \
                 value: {value:?},\n    \
                 signed: {signed:?},\n    \
                 id: {id:?},\n    \
                 timestamp: {timestamp:?},\n    \
                 key: webhooks::WebhookKey::{key:?},\n\
                 }}"
            )
        }
    };
    format!(
        "/// How the service signs its webhooks: [`read`](webhooks::Signature::read) checks a request, and reads its body.\n\
         pub const WEBHOOK_SIGNATURE: webhooks::Signature = {value};\n\n"
    )
}
