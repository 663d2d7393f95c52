//! Declares each schema as its kind of type.

use openapi_model::{Schema, Shape};
use proc_macro2::TokenStream;
use quote::quote;

use super::constants::Constants;
use super::derives::{self, derives};
use super::documentation::documented;
use super::fields::Field;
use super::{enums, identifiers, newtypes, reading, structs, tuples, unions};
use crate::types::circles::Circles;
use crate::types::context::Context;
use crate::types::docs::condition;
use crate::types::runtime::is_of_runtime;

/// The types of all schemas, in the order of the model.
pub(in crate::types) fn declared(context: &Context<'_>) -> syn::Result<Vec<syn::Item>> {
    let mut items = Vec::new();
    let constants = Constants::of(context.model);
    let derives = derives(context.model);
    let circles = Circles::new(context.model);
    for schema in &context.model.schemas {
        // A type of the runtime is used in its place everywhere.
        if is_of_runtime(&schema.place) || !schema.is_visible {
            continue;
        }
        let own = match &schema.place.shape {
            Shape::Object(object) => {
                let fields = Field::all(context.model, schema, object, &circles, &constants);
                let implementation = reading::read(schema, &fields);
                let item = structs::emit(context, schema, object, &fields);
                quote!(#item #implementation)
            }
            _ => match unnamed(context, schema) {
                Some(own) => own,
                None => newtypes::emit(context.model, schema),
            },
        };
        let mut own = documented(context, schema, syn::parse2(own)?);
        derives::add(&derives, schema, &mut own);
        items.extend(conditional(schema, own)?);
    }
    items.extend(syn::parse2::<syn::File>(constants.declared())?.items);
    Ok(items)
}

/// The items of a schema, with the feature that they need.
fn conditional(schema: &Schema, items: Vec<syn::Item>) -> syn::Result<Vec<syn::Item>> {
    let Some(condition) = condition(schema.feature.as_deref()) else {
        return Ok(items);
    };
    let items = items.iter();
    items
        .map(|item| syn::parse2(quote!(#condition #item)))
        .collect()
}

/// A type that is neither a struct nor a newtype; `None` for these.
fn unnamed(context: &Context<'_>, schema: &Schema) -> Option<TokenStream> {
    match &schema.place.shape {
        Shape::Texts { .. } => Some(enums::emit(schema)),
        Shape::Scalar { .. } if schema.place.is_string() => Some(identifiers::emit(&schema.name)),
        Shape::Union { alternatives, tag } => Some(unions::emit(
            context.model,
            schema,
            alternatives,
            tag.as_ref(),
        )),
        Shape::Tuple(elements) => Some(tuples::emit(context.model, schema, elements)),
        _ => None,
    }
}
