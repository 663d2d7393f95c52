//! Properties with other names on the wire. `serde(alias)` refuses a payload that carries both names;
//! a private twin with one more field per name takes it, and the name that the service really uses wins.

use quote::quote;
use serde_json::Value;
use syn::punctuated::Punctuated;

use super::fields::{properties, wire_name};
use super::{Context, argument_of, structs};
use crate::names;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let mut twins: Vec<proc_macro2::TokenStream> = Vec::new();
    for item in structs(file) {
        let Some(schema) = context.model.schema(&item.ident.to_string()) else {
            continue;
        };
        let aliases: Vec<(String, Vec<String>)> = properties(context.model, schema)
            .into_iter()
            .filter_map(|(_, property, value)| Some((property, aliases(&value)?)))
            .collect();
        if aliases.is_empty() {
            continue;
        }
        twins.push(twin(item, &aliases));
        let path = format!("wire::{}", twin_name(&item.ident));
        item.attrs.push(syn::parse_quote!(#[serde(from = #path)]));
    }
    if !twins.is_empty() {
        file.items.push(syn::parse2(quote! {
            /// How types look on the wire whose fields have more than one name there.
            mod wire {
                use super::*;

                #(#twins)*
            }
        })?);
    }
    Ok(())
}

fn aliases(property: &Value) -> Option<Vec<String>> {
    let names = property.get("x-aliases")?.as_array()?;
    Some(
        names
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
    )
}

/// What an attribute says about reading a field; a twin is never documented or written.
fn for_reading(attribute: &syn::Attribute) -> Option<syn::Attribute> {
    let list = attribute.meta.require_list().ok()?;
    let metas = list
        .parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated)
        .ok()?;
    let reading: Vec<&syn::Meta> = metas
        .iter()
        .filter(|meta| !meta.path().is_ident("skip_serializing_if"))
        .collect();
    (!reading.is_empty()).then(|| syn::parse_quote!(#[serde(#(#reading),*)]))
}

fn twin_name(of: &syn::Ident) -> syn::Ident {
    names::ident(&format!("{of}Wire"))
}

fn twin(item: &syn::ItemStruct, aliases: &[(String, Vec<String>)]) -> proc_macro2::TokenStream {
    let original = &item.ident;
    let name = twin_name(original);
    let mut fields = Vec::new();
    let mut moves = Vec::new();
    for field in &item.fields {
        let Some(ident) = &field.ident else {
            continue;
        };
        let wire = wire_name(field);
        let ty = &field.ty;
        let others = aliases.iter().find(|(property, _)| *property == wire);
        let Some((_, others)) = others else {
            let attributes = field.attrs.iter().filter_map(for_reading);
            fields.push(quote!(#(#attributes)* #ident: #ty));
            moves.push(quote!(#ident: wire.#ident));
            continue;
        };
        // Presence decides, so that an empty list under the right name wins too.
        let is_optional = argument_of(ty, "Option").is_some();
        let held = if is_optional {
            quote!(#ty)
        } else {
            quote!(::std::option::Option<#ty>)
        };
        let default = if is_optional {
            quote!()
        } else {
            quote!(.unwrap_or_default())
        };
        let rename = (*ident != wire).then(|| quote!(#[serde(rename = #wire)]));
        fields.push(quote!(#rename #ident: #held));
        let mut alternatives = Vec::new();
        for other in others {
            let alias = names::ident(&format!("{ident}_or_{}", names::snake(other)));
            fields.push(quote!(#[serde(rename = #other)] #alias: #held));
            alternatives.push(quote!(.or(wire.#alias)));
        }
        moves.push(quote!(#ident: wire.#ident #(#alternatives)* #default));
    }
    quote! {
        #[derive(::serde::Deserialize)]
        pub(super) struct #name {
            #(#fields),*
        }

        impl ::std::convert::From<#name> for #original {
            fn from(wire: #name) -> Self {
                Self { #(#moves),* }
            }
        }
    }
}
