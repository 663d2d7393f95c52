//! What the runtime has to know of an operation's money: known prices with their conditions, and where an answer reports its charge.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::openapi::extensions::{Presence, Price};
use crate::openapi::{Model, Operation};
use crate::types::runtime::CREDITS;

/// The operation's price list, as a constant expression.
pub(super) fn prices(operation: &Operation) -> TokenStream {
    let prices = operation.prices.iter().filter_map(price);
    quote!(&[#(#prices),*])
}

fn price(price: &Price) -> Option<TokenStream> {
    let micros = proc_macro2::Literal::u64_unsuffixed(price.micros()?);
    let conditions = price.when.iter().map(|(parameter, presence)| {
        let presence = match presence {
            Presence::Present => quote!(::metered_client::Presence::Present),
            Presence::Absent => quote!(::metered_client::Presence::Absent),
        };
        quote!((#parameter, #presence))
    });
    Some(quote! {
        ::metered_client::Price {
            credits: ::metered_client::Credits::from_micros(#micros),
            when: &[#(#conditions),*],
        }
    })
}

/// The member of the success body that reports the charge.
pub(super) fn charge(model: &Model, operation: &Operation) -> TokenStream {
    let schema = operation
        .success
        .as_ref()
        .and_then(|success| model.referenced(success));
    let field = schema
        .into_iter()
        .flat_map(|schema| schema.properties())
        .find(|(_, value)| value.get("x-rust-type").and_then(Value::as_str) == Some(CREDITS))
        .map(|(field, _)| field);
    match field {
        Some(field) => quote!(Some(#field)),
        None => quote!(None),
    }
}
