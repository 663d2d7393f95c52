//! Runtime types that stand around a schema's own type. They have a form for what is missing, and are never in an option.

use quote::quote;

use super::Context;
use super::fields::wire_name;
use super::items::{argument_of, structs};
use crate::types::runtime::{Form, chosen};

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for item in structs(file) {
        let Some(schema) = context.model.schema(&item.ident.to_string()) else {
            continue;
        };
        for field in &mut item.fields {
            let wire = wire_name(field);
            let runtime = schema
                .property(&wire)
                .and_then(chosen)
                .filter(|runtime| runtime.form == Form::Around);
            if let Some(runtime) = runtime {
                let inner = ["Option", "Vec"]
                    .into_iter()
                    .find_map(|container| argument_of(&field.ty, container))
                    .unwrap_or(&field.ty);
                let path: syn::Path = syn::parse_str(runtime.path)?;
                field.ty = syn::parse2(quote!(#path<#inner>))?;
            }
        }
    }
    Ok(())
}
