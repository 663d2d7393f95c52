//! Lists of a fixed length: a struct with a field for each position.

use openapi_model::{Model, Place, Schema, names};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::types::docs;
use crate::types::rust_type::{TypeLocation, rust_type};

pub(super) fn emit(model: &Model, schema: &Schema, elements: &[Place]) -> TokenStream {
    let name = names::ident(&schema.name);
    let types: Vec<TokenStream> = elements
        .iter()
        .map(|place| element(model, schema, place))
        .collect();
    let docs = elements.iter().map(|place| {
        let described = place.description.as_deref();
        let lines = described.map_or_else(Vec::new, docs::text);
        docs::attributes(&docs::paragraphs([lines, docs::facts(place)]))
    });
    let values: Vec<syn::Ident> = (0..elements.len())
        .map(|at| format_ident!("value_{at}"))
        .collect();
    let default = (!schema.usage.request).then(|| quote!(Default,));
    quote! {
        #[derive(::serde::Serialize, Clone, Debug, #default PartialEq)]
        pub struct #name(#(#(#docs)* pub #types),*);

        impl ::std::convert::From<(#(#types),*)> for #name {
            fn from((#(#values),*): (#(#types),*)) -> Self {
                Self(#(#values),*)
            }
        }

        ::generated_client::wire::tuple_struct!(#name(#(#values),*));
    }
}

/// The type of an element. In a response it may be missing as any field; objects are boxed, which keeps a type that contains itself finite.
fn element(model: &Model, schema: &Schema, place: &Place) -> TokenStream {
    let inner = rust_type(place, TypeLocation::Types(schema.usage));
    let is_large = model.referenced(place).is_some_and(|one| {
        !one.properties().is_empty() || one.alternatives().is_some() || one.elements().is_some()
    });
    let inner = if is_large {
        quote!(::std::boxed::Box<#inner>)
    } else {
        inner
    };
    if schema.usage.request && !place.nullable {
        inner
    } else {
        quote!(::std::option::Option<#inner>)
    }
}
