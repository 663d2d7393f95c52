//! Types with a name that hold one value: the engine's, which read lists and maps as any field does.

use openapi_model::{Model, Schema, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::Kind;
use crate::types::engine::Engine;
use crate::types::rust_type::has_null_elements;

pub(super) fn emit(model: &Model, schema: &Schema, engine: &Engine, number: usize) -> TokenStream {
    let mut items = engine.newtype(number).to_vec();
    for item in &mut items {
        if let syn::Item::Struct(item) = item {
            finish(item, model, schema);
        }
    }
    let name = names::ident(&schema.name);
    let kind = Kind::of(&schema.place);
    let collection = kind.collection(has_null_elements(&schema.place));
    let read = match (kind, collection) {
        // Within the allowance, and without what is `null`, unless the type has it.
        (Kind::List | Kind::Map, Some(collection)) => collection.content,
        _ => "required",
    };
    let read = names::ident(read);
    quote!(#(#items)* ::generated_client::wire::newtype!(#name, #read);)
}

fn finish(item: &mut syn::ItemStruct, model: &Model, schema: &Schema) {
    // The default if a response lacks the value.
    let has_default = schema.usage.response && model.is_defaulted(schema);
    let default = has_default.then(|| quote!(, Default));
    for attribute in &mut item.attrs {
        if attribute.path().is_ident("derive") {
            *attribute =
                syn::parse_quote!(#[derive(::serde::Serialize, Clone, Debug, PartialEq #default)]);
        }
    }
}
