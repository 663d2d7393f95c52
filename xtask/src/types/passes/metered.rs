//! What a response says it cost.

use std::collections::BTreeSet;

use quote::quote;
use serde_json::Value;

use super::Context;
use super::fields::{field_name, properties};
use crate::names;
use crate::types::runtime::CREDITS;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let responses: BTreeSet<&str> = context
        .model
        .operations
        .iter()
        .filter_map(|operation| crate::openapi::reference(operation.success.as_ref()?))
        .collect();
    for response in responses {
        let Some(schema) = context.model.schema(response) else {
            continue;
        };
        let name = names::ident(response);
        let field = properties(context.model, schema)
            .into_iter()
            .find(|(_, _, value)| value.get("x-rust-type").and_then(Value::as_str) == Some(CREDITS))
            .map(|(_, property, value)| names::ident(&field_name(&property, &value)));
        let credits = match field {
            Some(field) => quote!(self.#field),
            None => quote!(None),
        };
        file.items.push(syn::parse2(quote! {
            impl ::metered_client::Metered for #name {
                fn credits_consumed(&self) -> ::std::option::Option<::metered_client::Credits> {
                    #credits
                }
            }
        })?);
    }
    Ok(())
}
