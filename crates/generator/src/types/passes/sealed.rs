//! Structs that cannot be built or matched whole from outside: a new field upstream breaks no caller.
//! Bodies that only a caller sends stay open. What is sent and received has a constructor instead.

use openapi_model::{Schema, TextFormat};
use quote::quote;

use super::Context;
use super::envelopes::derives;
use super::fields::wire_name;
use super::items::argument_of;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let mut items = Vec::new();
    let given = context.model.given_whole();
    for mut item in std::mem::take(&mut file.items) {
        let mut constructor = None;
        if let syn::Item::Struct(item) = &mut item
            && matches!(item.fields, syn::Fields::Named(_))
        {
            let schema = context.model.schema(&item.ident.to_string());
            let given_whole = schema.is_some_and(|schema| {
                let is_given = given.contains(schema.name.as_str());
                !schema.usage.response && (is_given || !context.model.is_flat(schema))
            });
            if !given_whole {
                item.attrs.push(syn::parse_quote!(#[non_exhaustive]));
                constructor = schema
                    .filter(|schema| schema.usage.request && schema.usage.response)
                    .and_then(|schema| new(item, schema));
            }
        }
        items.push(item);
        items.extend(constructor);
    }
    file.items = items;
    Ok(())
}

/// A constructor that takes what a request has to have; nothing where `Default` does.
fn new(item: &syn::ItemStruct, schema: &Schema) -> Option<syn::Item> {
    let is_required = |field: &&syn::Field| {
        schema.insists_on(&wire_name(field)) && argument_of(&field.ty, "Option").is_none()
    };
    if derives(&item.attrs, "Default") && !item.fields.iter().any(|field| is_required(&field)) {
        return None;
    }
    let name = &item.ident;
    let (mut parameters, mut values) = (Vec::new(), Vec::new());
    for field in &item.fields {
        let (ident, ty) = (field.ident.as_ref()?, &field.ty);
        let is_text = is_made_from_text(ty);
        values.push(match (is_required(&field), is_text) {
            (false, _) => quote!(#ident: ::std::default::Default::default()),
            (true, true) => quote!(#ident: #ident.into()),
            (true, false) => quote!(#ident),
        });
        if is_required(&field) {
            parameters.push(match is_text {
                true => quote!(#ident: impl ::std::convert::Into<#ty>),
                false => quote!(#ident: #ty),
            });
        }
    }
    Some(syn::parse_quote! {
        impl #name {
            /// Makes a value of the members that a request has to have. The other members are fields.
            #[must_use]
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#values),* }
            }
        }
    })
}

/// Whether a type is `String`, or one that the runtime has for the format of a text.
fn is_made_from_text(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let segments = &path.path.segments;
    let is_of_the_runtime = segments
        .first()
        .is_some_and(|first| first.ident == "metered_client");
    segments.last().is_some_and(|last| {
        let is_formatted = TextFormat::ALL
            .iter()
            .any(|format| last.ident == format.type_name());
        last.ident == "String" || is_of_the_runtime && is_formatted
    })
}
