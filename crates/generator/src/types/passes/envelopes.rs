//! What a response always has is plain, not an option: its content, and whatever else the document requires.

use super::Context;
use super::fields::wire_name;
use super::items::{argument_of, structs};

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for item in structs(file) {
        let Some(schema) = context.model.schema(&item.ident.to_string()) else {
            continue;
        };
        let is_defaulted = context.model.is_defaulted(schema);
        if schema.usage.response && is_defaulted && !derives(&item.attrs, "Default") {
            add_derive(&mut item.attrs, "Default");
        }
        for field in &mut item.fields {
            let Some(inner) = argument_of(&field.ty, "Option").cloned() else {
                continue;
            };
            let wire = wire_name(field);
            let is_content = schema.is_content(&wire);
            if is_content && !is_defaulted {
                drop_derive(&mut item.attrs, "Default");
            }
            if is_content || context.model.presence(schema, &wire).is_plain() {
                field.ty = inner;
            }
        }
    }
    Ok(())
}

/// Whether a type derives a trait.
pub(super) fn derives(attributes: &[syn::Attribute], name: &str) -> bool {
    let mut found = false;
    for attribute in attributes
        .iter()
        .filter(|one| one.path().is_ident("derive"))
    {
        // A derive lists paths, and nothing that this could fail on.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= is_called(&meta.path, name);
            Ok(())
        });
    }
    found
}

/// Adds a trait to the derives of a type.
fn add_derive(attributes: &mut [syn::Attribute], name: &str) {
    let derive = attributes
        .iter_mut()
        .find(|one| one.path().is_ident("derive"));
    if let Some(attribute) = derive
        && let Ok(list) = attribute.meta.require_list()
    {
        let (derived, name) = (&list.tokens, openapi_model::names::ident(name));
        let separator = (!derived.to_string().trim_end().ends_with(',')).then(|| quote::quote!(,));
        *attribute = syn::parse_quote!(#[derive(#derived #separator #name)]);
    }
}

/// Takes a trait out of the derives of a type.
pub(super) fn drop_derive(attributes: &mut [syn::Attribute], name: &str) {
    for attribute in attributes
        .iter_mut()
        .filter(|one| one.path().is_ident("derive"))
    {
        let mut kept: Vec<syn::Path> = Vec::new();
        let parsed = attribute.parse_nested_meta(|meta| {
            if !is_called(&meta.path, name) {
                kept.push(meta.path);
            }
            Ok(())
        });
        if parsed.is_ok() {
            *attribute = syn::parse_quote!(#[derive(#(#kept),*)]);
        }
    }
}

fn is_called(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}
