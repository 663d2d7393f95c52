//! What a response always has is plain, not an option: its content, and whatever else the document requires.

use std::collections::HashSet;

use super::Context;
use super::fields::wire_name;
use super::items::{argument_of, structs};
use crate::openapi::Presence;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let with_default: HashSet<syn::Ident> = structs(file)
        .filter(|item| derives(&item.attrs, "Default"))
        .map(|item| item.ident.clone())
        .collect();
    for item in structs(file) {
        let Some(schema) = context.model.schema(&item.ident.to_string()) else {
            continue;
        };
        if schema.usage.response
            && context.model.is_defaulted(schema)
            && !derives(&item.attrs, "Default")
        {
            add_derive(&mut item.attrs, "Default");
        }
        for field in &mut item.fields {
            let Some(inner) = argument_of(&field.ty, "Option").cloned() else {
                continue;
            };
            let wire = wire_name(field);
            if context.model.presence(schema, &wire) == Presence::Promised {
                field.ty = inner;
            } else if schema.is_content(&wire) {
                let has_default = matches!(&inner, syn::Type::Path(path)
                if path.path.segments.last().is_some_and(|last| {
                    last.ident == "Vec" || with_default.contains(&last.ident)
                }));
                if !has_default {
                    drop_derive(&mut item.attrs, "Default");
                }
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
        let (derived, name) = (&list.tokens, crate::names::ident(name));
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
