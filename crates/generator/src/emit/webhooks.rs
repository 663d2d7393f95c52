//! The types of what the service sends to its users, for the README of a crate.

use openapi_model::{Model, Webhook};

use super::left_out::cell;

/// A table of the webhooks with the types of their bodies; empty for a document without webhooks.
pub(super) fn emit(model: &Model) -> String {
    let rows: Vec<String> = model.webhooks.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n## Webhooks\n\n\
         The service makes these requests itself. Read the body of one with `serde_json::from_slice`.\n\n\
         | webhook | type of its body | what it says |\n|---|---|---|\n{}",
        rows.concat()
    )
}

/// Returns the row of a webhook whose body has a type.
fn row(webhook: &Webhook) -> Option<String> {
    let name = webhook.schema.reference()?;
    let text = webhook.text.first().map(|text| cell(text));
    Some(format!(
        "| `{}` | `types::{name}` | {} |\n",
        cell(&webhook.name),
        text.unwrap_or_default()
    ))
}
