//! Doc comments of types and fields: the document's words, its facts, and who changed them.

use super::fields::{properties, wire_name};
use super::{Context, argument_of};
use crate::openapi::Schema;
use crate::types::docs;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for item in &mut file.items {
        let (name, attributes) = match item {
            syn::Item::Struct(item) => (item.ident.to_string(), &mut item.attrs),
            syn::Item::Enum(item) => (item.ident.to_string(), &mut item.attrs),
            _ => continue,
        };
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
        let Some(schema) = context.model.schema(&name) else {
            continue;
        };
        attributes.splice(0..0, docs::attributes(&type_docs(context, schema)));
        if let syn::Item::Enum(item) = item {
            for variant in &mut item.variants {
                if !variant
                    .attrs
                    .iter()
                    .any(|attribute| attribute.path().is_ident("doc"))
                {
                    let line = format!("As `{}`.", variant.ident);
                    variant.attrs.splice(0..0, docs::attributes(&[line]));
                }
            }
        }
        if let syn::Item::Struct(item) = item {
            let documented = properties(context.model, schema);
            for field in &mut item.fields {
                let wire = wire_name(field);
                let known = documented.iter().find(|(_, name, _)| *name == wire);
                if known.is_none() {
                    field
                        .attrs
                        .splice(0..0, docs::attributes(&rest_docs(schema)));
                }
                if let (Some(_), Some((at, name, value))) = (&field.ident, known) {
                    let lines = field_docs(context, at, name, value, &field.ty);
                    field.attrs.splice(0..0, docs::attributes(&lines));
                }
            }
        }
    }
    Ok(())
}

fn type_docs(context: &Context<'_>, schema: &Schema) -> Vec<String> {
    let described = match schema
        .value
        .get("description")
        .and_then(|text| text.as_str())
    {
        Some(text) => docs::text(text),
        None => vec![format!("`{}`.", schema.name)],
    };
    let fields = format!("{}/properties", schema.pointer);
    let own = |changed: &str| !crate::pointer::is_within(changed, &fields);
    docs::paragraphs([described].into_iter().chain(docs::provenance(
        context.report,
        &schema.pointer,
        own,
    )))
}

/// The field that takes the members without a name in the document.
fn rest_docs(schema: &Schema) -> Vec<String> {
    let described = schema
        .value
        .pointer("/additionalProperties/description")
        .and_then(|text| text.as_str());
    described.map_or_else(
        || vec!["Members that the document does not name.".to_owned()],
        docs::text,
    )
}

fn field_docs(
    context: &Context<'_>,
    at: &str,
    name: &str,
    value: &serde_json::Value,
    ty: &syn::Type,
) -> Vec<String> {
    let referenced = context.model.referenced(value).map(|schema| &schema.value);
    let described = [Some(value), referenced]
        .into_iter()
        .flatten()
        .find_map(|schema| schema.get("description")?.as_str())
        .map_or_else(|| vec![format!("`{name}`.")], docs::text);
    let rejects = argument_of(ty, "Records").map(|_| {
        vec![
            "A record that does not decode is among the rejects, and the others are here."
                .to_owned(),
        ]
    });
    let brought_alone = |changed: &str| crate::pointer::is_within(changed, at);
    let provenance = docs::provenance(context.report, at, brought_alone);
    docs::paragraphs(
        [described, docs::facts(value)]
            .into_iter()
            .chain(rejects)
            .chain(provenance),
    )
}
