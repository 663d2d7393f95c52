//! A response always has its content: the fields that hold it are plain, not options.

use std::collections::HashSet;

use super::Context;
use super::fields::wire_name;
use super::items::{argument_of, structs};

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let with_default: HashSet<syn::Ident> = structs(file)
        .filter(|item| derives(&item.attrs, "Default"))
        .map(|item| item.ident.clone())
        .collect();
    for item in structs(file) {
        let Some(schema) = context.model.schema(&item.ident.to_string()) else {
            continue;
        };
        for field in &mut item.fields {
            let inner = argument_of(&field.ty, "Option").cloned();
            if let (true, Some(inner)) = (schema.is_content(&wire_name(field)), inner) {
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
