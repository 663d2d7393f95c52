//! Arrays that page: one bad record must not lose the others.

use super::Context;
use super::fields::wire_name;
use super::items::{argument_of, structs};

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for pages in &context.model.pages {
        let Some(list) = pages.items.last() else {
            continue;
        };
        for item in structs(file).filter(|item| item.ident == list.owner.as_str()) {
            for field in &mut item.fields {
                // By the name on the wire: the others are still the engine's.
                if wire_name(field) == list.property
                    && let Some(record) = argument_of(&field.ty, "Vec")
                {
                    field.ty = syn::parse_quote!(::metered_client::Records<#record>);
                }
            }
        }
    }
    Ok(())
}
