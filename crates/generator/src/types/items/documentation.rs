//! Doc comments of types and fields: the document's description, its facts, and the overrides that changed them.

use openapi_document::pointer;
use openapi_model::{Place, Property, Schema};

use crate::types::context::Context;
use crate::types::docs;

/// The items of a schema, with the documentation of its type.
pub(super) fn documented(
    context: &Context<'_>,
    schema: &Schema,
    file: syn::File,
) -> Vec<syn::Item> {
    let mut items = file.items;
    for item in &mut items {
        let Some(attributes) = attributes(item) else {
            continue;
        };
        let deprecated = docs::deprecated(schema.place.deprecated);
        let docs = docs::attributes(&type_docs(context, schema));
        attributes.splice(0..0, docs.into_iter().chain(deprecated));
    }
    items
}

/// The attributes of a type that an item declares.
pub(super) fn attributes(item: &mut syn::Item) -> Option<&mut Vec<syn::Attribute>> {
    match item {
        syn::Item::Struct(item) => Some(&mut item.attrs),
        syn::Item::Enum(item) => Some(&mut item.attrs),
        _ => None,
    }
}

fn type_docs(context: &Context<'_>, schema: &Schema) -> Vec<String> {
    let described = match &schema.place.description {
        Some(text) => docs::text(text),
        None => Vec::new(),
    };
    let constants = schema.properties().iter().filter_map(|property| {
        let value = property.place.constant.as_ref()?;
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), |text| text.replace('`', "'"));
        Some(format!(
            "Its `{}` is always `{value}`, and needs no setter.",
            property.name
        ))
    });
    let fields = format!("{}/properties", schema.pointer);
    let provenance = docs::provenance(context.report, &schema.pointer, |changed| {
        !pointer::is_within(changed, &fields)
    });
    docs::paragraphs(
        [described, constants.collect()]
            .into_iter()
            .chain(provenance),
    )
}

/// The field that takes the members without a name in the document.
pub(super) fn of_others(others: &Place) -> Vec<String> {
    let described = others.description.as_deref();
    described.map_or_else(|| vec!["Undocumented members.".to_owned()], docs::text)
}

/// Returns the lines of a field. `is_paged` is set if it has the records of a page.
pub(super) fn of_field(context: &Context<'_>, property: &Property, is_paged: bool) -> Vec<String> {
    let Property {
        name,
        pointer: at,
        place,
    } = property;
    let described = [place, context.model.resolved(place)]
        .into_iter()
        .find_map(|place| place.description.as_deref());
    let described = docs::unless_repeated(described, name, &property.field_name());
    let rejects =
        is_paged.then(|| vec!["Records that do not decode are in `rejects` instead.".to_owned()]);
    let provenance = docs::provenance(context.report, at, |changed| {
        pointer::is_within(changed, at)
    });
    docs::paragraphs(
        [described, docs::facts(place)]
            .into_iter()
            .chain(rejects)
            .chain(provenance),
    )
}
