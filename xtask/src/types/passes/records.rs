//! Arrays that page: one bad record must not lose the others.

use super::{Context, argument_of, structs};
use crate::names;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for (owner, property) in &context.model.records {
        for item in structs(file).filter(|item| item.ident == owner.as_str()) {
            for field in &mut item.fields {
                let is_it = field
                    .ident
                    .as_ref()
                    .is_some_and(|ident| *ident == names::snake(property));
                if is_it && let Some(record) = argument_of(&field.ty, "Vec") {
                    field.ty = syn::parse_quote!(::metered_client::Records<#record>);
                }
            }
        }
    }
    Ok(())
}
