//! Types with a name that hold one value: the engine's, which read lists and maps as any field does.

use openapi_model::{Model, Schema};
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
    quote!(#(#items)*)
}

fn finish(item: &mut syn::ItemStruct, model: &Model, schema: &Schema) {
    // The default if a response lacks the value.
    if schema.usage.response && model.is_defaulted(schema) {
        for attribute in &mut item.attrs {
            if attribute.path().is_ident("derive") {
                *attribute = syn::parse_quote!(#[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq, Default)]);
            }
        }
    }
    // Within the allowance, and without what is `null`, unless the type has it.
    let kind = Kind::of(&schema.place);
    let has_nulls = has_null_elements(&schema.place);
    if let (Kind::List | Kind::Map, Some(collection)) = (kind, kind.collection(has_nulls)) {
        let read = collection.content;
        for field in &mut item.fields {
            let read = syn::parse_quote!(#[serde(deserialize_with = #read)]);
            field.attrs.push(read);
        }
    }
}
