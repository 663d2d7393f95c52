//! Fields in the order of the document, under their names, tolerant of what a service leaves out.

use std::collections::BTreeMap;

use super::Context;
use super::items::{argument_of, structs};
use crate::names;
use crate::openapi::{Model, Place, Presence, Property, Schema};
use crate::types::runtime::{Form, LOOSE, chosen, instead};

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for item in structs(file) {
        let Some(schema) = context.model.schema(&item.ident.to_string()) else {
            continue;
        };
        let fields = match &mut item.fields {
            syn::Fields::Named(fields) => fields,
            syn::Fields::Unnamed(only) => {
                only.unnamed.iter_mut().for_each(read_as_content);
                continue;
            }
            syn::Fields::Unit => continue,
        };
        // What takes all other members has no name on the wire, and may be called as a property is.
        let (others, named): (Vec<_>, Vec<_>) = std::mem::take(&mut fields.named)
            .into_iter()
            .partition(is_flattened);
        let mut by_wire_name: BTreeMap<String, syn::Field> = named
            .into_iter()
            .map(|field| (wire_name(&field), field))
            .collect();
        for property in schema.properties() {
            if let Some(mut field) = by_wire_name.remove(&property.name) {
                finish(
                    &mut field,
                    property,
                    Owner {
                        model: context.model,
                        schema,
                    },
                );
                fields.named.push(field);
            }
        }
        fields.named.extend(by_wire_name.into_values());
        for mut other in others {
            while fields.named.iter().any(|field| field.ident == other.ident) {
                other.ident = other.ident.map(|ident| names::ident(&format!("{ident}_")));
            }
            fields.named.push(other);
        }
    }
    Ok(())
}

fn is_flattened(field: &syn::Field) -> bool {
    field.attrs.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("serde")
            && list.is_ok_and(|list| list.tokens.to_string().starts_with("flatten"))
    })
}

/// The name of a field on the wire, as the engine left it.
pub(super) fn wire_name(field: &syn::Field) -> String {
    wire_name_of(&field.attrs).unwrap_or_else(|| {
        field
            .ident
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default()
    })
}

/// The name in `#[serde(rename = "…")]`.
pub(super) fn wire_name_of(attributes: &[syn::Attribute]) -> Option<String> {
    let mut name = None;
    for attribute in attributes {
        if attribute.path().is_ident("serde") {
            // An attribute that is no list of `key = "text"` has no rename in it.
            let _ = attribute.parse_nested_meta(|meta| {
                let value = meta.value().and_then(|value| value.parse::<syn::LitStr>());
                if let (true, Ok(renamed)) = (meta.path.is_ident("rename"), value) {
                    name = Some(renamed.value());
                }
                Ok(())
            });
        }
    }
    name
}

/// Makes the list or map that a named schema stands for be read as any other: without what is `null`, and within the allowance.
fn read_as_content(field: &mut syn::Field) {
    if ["Vec", "BTreeMap"]
        .iter()
        .any(|one| argument_of(&field.ty, one).is_some())
        && let Some(collection) = collection(&field.ty)
    {
        let read = collection.content;
        field
            .attrs
            .push(syn::parse_quote!(#[serde(deserialize_with = #read)]));
    }
}

/// The struct that a field is in.
struct Owner<'m> {
    model: &'m Model,
    schema: &'m Schema,
}

fn finish(field: &mut syn::Field, property: &Property, owner: Owner<'_>) {
    let Owner { model, schema } = owner;
    let (name, place) = (property.field_name(), &property.place);
    let property = property.name.as_str();
    let presence = model.presence(schema, property);
    let insists = presence.is_plain();
    let is_promised = presence == Presence::Promised;
    // What a request has to have is written as `null` when it is nothing.
    let is_only_sent = schema.usage.request && !schema.usage.response;
    let is_demanded = is_only_sent && schema.requires(property);
    let mut serde: Vec<syn::Meta> = Vec::new();
    if name != property {
        serde.push(syn::parse_quote!(rename = #property));
    }
    if argument_of(&field.ty, "Option").is_some() {
        let form = chosen(place).map(|runtime| runtime.form);
        if let Some(Form::DecodedBy(decode)) = form {
            serde.push(syn::parse_quote!(default));
            serde.push(syn::parse_quote!(deserialize_with = #decode));
        } else if schema.usage.response && !model.is_needed(schema, property) {
            serde.push(syn::parse_quote!(default));
            serde.push(syn::parse_quote!(
                deserialize_with = "::metered_client::wire::optional"
            ));
        }
        if !insists && !is_demanded {
            serde.push(syn::parse_quote!(
                skip_serializing_if = "::std::option::Option::is_none"
            ));
        }
    } else if let Some(collection) = collection(&field.ty) {
        // A required list is written even when it is empty.
        if insists && !is_promised {
            if schema.is_content(property) {
                let read = collection.content;
                serde.push(syn::parse_quote!(deserialize_with = #read));
            }
        } else {
            let is_empty = collection.is_empty;
            let read = match model.is_needed(schema, property) {
                true => collection.needed,
                false => collection.read,
            };
            serde.push(syn::parse_quote!(default));
            serde.push(syn::parse_quote!(deserialize_with = #read));
            if !insists {
                serde.push(syn::parse_quote!(skip_serializing_if = #is_empty));
            }
        }
    } else if argument_of(&field.ty, LOOSE).is_some() {
        serde.push(syn::parse_quote!(default));
        if !is_demanded {
            serde.push(syn::parse_quote!(
                skip_serializing_if = "::metered_client::values::Loose::is_missing"
            ));
        }
    } else if is_promised && model.is_set_aside(schema, property) {
        serde.push(syn::parse_quote!(default));
        serde.push(syn::parse_quote!(
            deserialize_with = "::metered_client::wire::fitting"
        ));
    } else if presence == Presence::Certain && !schema.usage.request && reads_null(place) {
        serde.push(syn::parse_quote!(
            deserialize_with = "::metered_client::wire::content"
        ));
    }
    field.ident = Some(names::ident(&name));
    field.attrs = if serde.is_empty() {
        Vec::new()
    } else {
        vec![syn::parse_quote!(#[serde(#(#serde),*)])]
    };
}

/// Whether the type of a place keeps `null` as a value that was sent.
fn reads_null(place: &Place) -> bool {
    instead(place).is_some_and(|runtime| runtime.form == Form::Instead)
}

/// A collection, and how to tell that it is empty.
#[derive(Clone, Copy)]
struct Collection {
    container: &'static str,
    /// Reads it where a service may write `null`.
    read: &'static str,
    /// Reads it where it leads to the records of a page.
    needed: &'static str,
    /// Reads it where it is the content of a response, and no `null`.
    content: &'static str,
    is_empty: &'static str,
}

const COLLECTIONS: [Collection; 4] = [
    Collection {
        container: "Vec",
        read: "::metered_client::wire::list",
        needed: "::metered_client::wire::needed_list",
        content: "::metered_client::wire::content_list",
        is_empty: "::std::vec::Vec::is_empty",
    },
    Collection {
        container: "Records",
        read: "::metered_client::wire::null_as_default",
        needed: "::metered_client::wire::null_as_default",
        content: "::metered_client::wire::content",
        is_empty: "::metered_client::Records::is_empty",
    },
    Collection {
        container: "BTreeMap",
        read: "::metered_client::wire::map",
        needed: "::metered_client::wire::map",
        content: "::metered_client::wire::content_map",
        is_empty: "::std::collections::BTreeMap::is_empty",
    },
    Collection {
        container: "Map",
        read: "::metered_client::wire::fitting",
        needed: "::metered_client::wire::null_as_default",
        content: "::metered_client::wire::content",
        is_empty: "::serde_json::Map::is_empty",
    },
];

fn collection(ty: &syn::Type) -> Option<Collection> {
    COLLECTIONS
        .into_iter()
        .find(|collection| argument_of(ty, collection.container).is_some())
}
