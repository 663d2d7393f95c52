//! Doc comments of types and fields: the document's text, its facts, and the overrides that changed them.

use super::Context;
use super::fields::wire_name;
use super::items::argument_of;
use crate::openapi::{Others, Property, Schema};
use crate::types::docs;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for item in &mut file.items {
        let (name, attributes) = match item {
            syn::Item::Struct(item) => (item.ident.to_string(), &mut item.attrs),
            syn::Item::Enum(item) => (item.ident.to_string(), &mut item.attrs),
            _ => continue,
        };
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
        // The engine names a few types itself, such as the parts of a composition.
        let schema = context.model.schema(&name);
        let described = match schema {
            Some(schema) => type_docs(context, schema),
            None => vec![format!("`{name}`.")],
        };
        attributes.splice(0..0, docs::attributes(&described));
        match item {
            syn::Item::Enum(item) => document_variants(item),
            syn::Item::Struct(item) => document_fields(context, schema, item),
            _ => {}
        }
    }
    Ok(())
}

fn type_docs(context: &Context<'_>, schema: &Schema) -> Vec<String> {
    let described = match &schema.place.description {
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

/// What the engine makes of a composition: variants that the document does not describe.
fn document_variants(item: &mut syn::ItemEnum) {
    let is_documented = |attributes: &[syn::Attribute]| {
        attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("doc"))
    };
    for variant in &mut item.variants {
        if !is_documented(&variant.attrs) {
            let line = format!("As `{}`.", variant.ident);
            variant.attrs.splice(0..0, docs::attributes(&[line]));
        }
        for field in &mut variant.fields {
            if let (Some(ident), false) = (&field.ident, is_documented(&field.attrs)) {
                let line = format!("`{ident}`.");
                field.attrs.splice(0..0, docs::attributes(&[line]));
            }
        }
    }
}

fn document_fields(context: &Context<'_>, schema: Option<&Schema>, item: &mut syn::ItemStruct) {
    let documented = schema.map_or(&[][..], Schema::properties);
    for field in &mut item.fields {
        let Some(ident) = &field.ident else {
            continue;
        };
        let wire = wire_name(field);
        let known = documented.iter().find(|property| property.name == wire);
        let lines = match (known, schema) {
            (Some(property), _) => field_docs(context, property, &field.ty),
            (None, Some(schema)) => rest_docs(schema),
            (None, None) => vec![format!("`{ident}`.")],
        };
        field.attrs.splice(0..0, docs::attributes(&lines));
    }
}

/// The field that takes the members without a name in the document.
fn rest_docs(schema: &Schema) -> Vec<String> {
    let others = schema.object().map(|object| &object.others);
    let described = match others {
        Some(Others::Of(place)) => place.description.as_deref(),
        _ => None,
    };
    described.map_or_else(
        || vec!["Members that the document does not name.".to_owned()],
        docs::text,
    )
}

fn field_docs(context: &Context<'_>, property: &Property, ty: &syn::Type) -> Vec<String> {
    let Property {
        name,
        pointer: at,
        place,
    } = property;
    let described = [place, context.model.resolved(place)]
        .into_iter()
        .find_map(|place| place.description.as_deref())
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
        [described, docs::facts(place)]
            .into_iter()
            .chain(rejects)
            .chain(provenance),
    )
}
